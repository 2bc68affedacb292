"""Bad input as a user would give it: one paragraph that names part, value, expectation and remedy; exit code 2; never a
traceback.

Oracle: the words of the message. Every case is also given an output file that is there already and must stay as it is.
"""

import os

import pytest

BODY = "{mass: 1, inertia: [1, 1, 1]}"


def model(bodies=f"arm: {BODY}", joints="", forces="", more=""):
    return f"bodies: {{{bodies}}}\njoints: {{{joints}}}\nforces: {{{forces}}}\n{more}\n"


def pin(ends="[ground, arm]", more="at: [0, 0, 0], axis: y"):
    return f"hinge: {{pin: {ends}, {more}}}"


def force(value):
    return f"f: {{force: arm, value: [0, {value}, 0]}}"


TOO_SHORT = """
bodies:
  arm: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
  leg: {mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}
joints:
  a: {pin: [ground, arm], on_a: [0, 0, 0], on_b: [-1, 0, 0], axis_a: y, axis_b: y}
  b: {pin: [arm, leg], on_a: [1, 0, 0], on_b: [-1, 0, 0], axis_a: y, axis_b: y}
  c: {pin: [leg, ground], on_a: [1, 0, 0], on_b: [9, 0, 0], axis_a: y, axis_b: y}
"""

# what is wrong → the model, and words that the message must have
CASES = {
    "negative mass": (
        model("arm: {mass: -1, inertia: [1, 1, 1]}"),
        ["bodies › arm", "mass is -1", "greater than zero", "Write"],
    ),
    "zero mass": (
        model("arm: {mass: 0, inertia: [1, 1, 1]}"),
        ["bodies › arm", "mass is 0", "greater than zero", "massless"],
    ),
    "inertia of no body": (
        model("arm: {mass: 1, inertia: [1, 1, 3]}"),
        ["bodies › arm", "(1, 1, 3)", "sum of the other two", "Check"],
    ),
    "negative inertia": (
        model("arm: {mass: 1, inertia: [-1, 1, 1]}"),
        ["bodies › arm", "(-1, 1, 1)", "negative", "Check"],
    ),
    "NaN": (model("arm: {mass: .nan, inertia: [1, 1, 1]}"), ["bodies › arm", "mass is nan", "finite number", "Write"]),
    "NaN in a vector": (
        model("arm: {mass: 1, position: [0, .nan, 0]}"),
        ["bodies › arm", "position[1] is nan", "expected", "Write"],
    ),
    "unknown body": (
        model(joints=pin("[ground, amr]")),
        ["joints › hinge", "'amr'", "Known: 'arm'", "Did you mean 'arm'?"],
    ),
    "duplicate name": (
        model(joints=pin().replace("hinge", "arm")),
        ["joints › arm", "'arm' is already used", "Choose another name"],
    ),
    "given twice": (model(f"arm: {BODY}, arm: {BODY}"), ["line 1", "'arm' is given twice", "once"]),
    "joint with itself": (
        model(joints=pin("[arm, arm]")),
        ["joints › hinge", "joins 'arm' with itself", "different", "Change"],
    ),
    "axis of length zero": (
        model(joints=pin(more="at: [0, 0, 0], axis: [0, 0, 0]")),
        ["joints › hinge", "[0, 0, 0]", "zero", "Write"],
    ),
    "loop that cannot close": (TOO_SHORT, ["joint '", "open by", "cannot be closed", "Check lengths"]),
    "word for a number": (model("arm: {mass: heavy}"), ["bodies › arm", "mass is 'heavy'", "kg is expected", "Write"]),
    "list for a number": (model("arm: {mass: [1]}"), ["bodies › arm", "mass is [1]", "expected", "Write"]),
    "number for a section": ("bodies: 3\n", ["bodies", "it is 3", "mapping", "expected"]),
    "list for a section": ("bodies:\n  - arm\n", ["bodies", "['arm']", "mapping", "without a dash"]),
    "two components": (
        model("arm: {mass: 1, position: [0, 0]}"),
        ["bodies › arm", "position is [0, 0]", "3 components", "Write"],
    ),
    "unknown word of a body": (
        model("arm: {mas: 1}"),
        ["bodies › arm", "'mas'", "it takes mass", "Did you mean 'mass'?"],
    ),
    "unknown section": (f"boddies: {{arm: {BODY}}}\n", ["'boddies'", "it takes system", "Did you mean 'bodies'?"]),
    "unknown kind": (
        model(joints=pin().replace("pin", "pinn")),
        ["joints › hinge", "'pinn'", "one of ball", "Did you mean 'pin'?"],
    ),
    "unknown option": (
        model(more="simulate: {methd: rk4}"),
        ["simulate", "'methd'", "it takes", "Did you mean 'method'?"],
    ),
    "unknown method": (
        model(more="simulate: {method: rk5}"),
        ["method", "'rk5'", "there are auto", "Did you mean 'rk4'?"],
    ),
    "wrong unit": (model("arm: {mass: 1 mm}"), ["bodies › arm", "'mm' is not a unit of mass", "expected", "Write"]),
    "import in an expression": (
        model(forces=force("'__import__(\"os\").getcwd()'")),
        ["forces › f", "__import__", "functions are"],
    ),
    "forbidden function": (model(forces=force("open(t)")), ["forces › f", "'open'", "functions are"]),
    "attribute": (model(forces=force("t.__class__")), ["forces › f", "__class__"]),
    "power without end": (model(forces=force("9**9**9**9")), ["forces › f", "9**9**9", "finite"]),
    "unknown name": (
        model(forces=force("amr.position.x")),
        ["force 'f'", "'amr.position.x'", "Did you mean 'arm.position.x'?"],
    ),
    "no bodies": ("system: empty\n", ["'empty'", "no bodies", "Add"]),
    "not YAML": ("bodies: {arm: {mass: 1\n", ["line", "flow mapping"]),
    "empty": ("", ["it is empty", "expected", "Start with"]),
}


@pytest.mark.thinned("command")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("command", ["run", "check"])
def test_bad_model(mekane, folder, case, command):
    text, phrases = CASES[case]
    (folder / "model.yaml").write_text(text)
    (folder / "out.nc").write_text("precious")
    output = (
        mekane("run", "model.yaml", "--t-end", 1, "-o", "out.nc") if command == "run" else mekane("check", "model.yaml")
    )
    refused(output, "model.yaml", *phrases)
    assert (folder / "out.nc").read_text() == "precious"
    assert sorted(os.listdir(folder)) == ["model.yaml", "out.nc"]


def refused(output, *phrases):
    """Exit code 2, nothing on stdout, and one paragraph with these words."""
    errors = [line for line in output.err.splitlines() if not line.startswith("Remark: ")]
    assert output.code == 2, output
    assert output.out == ""
    assert len(errors) == 1 and errors[0].startswith("Error: ")
    assert "Traceback" not in output.err
    assert [word for word in phrases if word not in errors[0]] == [], errors[0]


def test_huge_file(mekane, folder):
    with open(folder / "huge.yaml", "wb") as file:
        file.truncate(2**30)
    refused(mekane("run", "huge.yaml", "--t-end", 1), "huge.yaml", "larger than", "Is it the right file?")


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01\x00\x00", b"\xff\xfe\x00\x01", b"system: a\x00b\n"])
def test_binary_file(mekane, folder, content):
    (folder / "binary.yaml").write_bytes(content)
    refused(mekane("run", "binary.yaml", "--t-end", 1), "binary.yaml", "not UTF-8 text", "Is it the right file?")


def test_missing_file_and_folder(mekane, folder):
    refused(mekane("run", "nothing.yaml"), "nothing.yaml", "no such file", "Check the path")
    refused(mekane("report", "nothing.nc"), "nothing.nc", "no such file", "Check the path")
    refused(mekane("run", folder), str(folder), "it is a folder", "Name the file")


OPTIONS = {
    "--t-end=-1": ["command line", "t_end is '-1'", "greater than zero"],
    "--t-end=soon": ["command line", "t_end is 'soon'", "time in s"],
    "--t-end=1kg": ["command line", "'kg' is not a unit of time"],
    "--every=0": ["command line", "every is '0'", "greater than zero"],
    "--rtol=nan": ["command line", "rtol"],
    "--method=rk5": ["command line, method", "'rk5'", "there are auto", "Did you mean 'rk4'?"],
    "--method=rk4": ["step", "fixed step", "Give"],
    "--formulation=jont": ["command line, formulation", "'jont'", "Did you mean 'joint'?"],
    "--output=x.dat": ["x.dat", "'.dat'", "written as .nc or .csv or .txt", "x.nc"],
    "--output=nowhere/x.nc": ["nowhere", "no such folder", "Make it"],
    "--output=pendulum.yaml": ["pendulum.yaml", "'.yaml'"],
    "--output=folder.nc": ["folder.nc", "it is a folder"],
}


@pytest.mark.parametrize("option", OPTIONS)
def test_bad_option(mekane, folder, pendulum, option):
    (folder / "folder.nc").mkdir()
    refused(mekane("run", pendulum, option), *OPTIONS[option])
    assert sorted(os.listdir(folder)) == ["folder.nc", "pendulum.yaml"]


def test_folder_that_cannot_be_written(mekane, folder, pendulum, monkeypatch):
    """Found out before anything is computed. (Tests may run as root, whom no permission stops: the refusal is
    played.)"""

    def refuse(self, *_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.touch", refuse)
    monkeypatch.setattr(
        "mekane.cli.commands.run.simulated", lambda *_: pytest.fail("computed although it cannot be kept")
    )
    refused(
        mekane("run", pendulum, "-o", "x.nc"),
        "nothing can be written there (Permission denied)",
        "Choose another folder",
    )


def test_more_samples_than_memory(mekane, folder, pendulum):
    refused(mekane("run", pendulum, "--every=1e-13"), "samples", "Sample less often")


@pytest.mark.parametrize(
    "arguments", [["run"], ["runn", "x"], ["run", "x.yaml", "--metod", "rk4"], ["run", "x.yaml", "y.yaml"]]
)
def test_wrong_usage(mekane, arguments):
    output = mekane(*arguments)
    assert output.code == 2 and "Usage" in output.err and "Traceback" not in output.err


def test_errors_as_json(mekane, folder):
    import json

    output = mekane("run", "nothing.yaml", "--json")
    assert output.code == 2
    assert json.loads(output.out)["problem"] == "there is no such file"


def test_unexpected_errors_have_no_traceback_unless_requested(mekane, folder, pendulum, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("of our own making")

    monkeypatch.setattr("mekane.cli.commands.run.simulated", fail)
    output = mekane("run", pendulum)
    assert output.code == 1
    assert (
        "ZeroDivisionError: of our own making" in output.err
        and "--traceback" in output.err
        and "Traceback" not in output.err
    )

    from mekane.cli.main import main

    with pytest.raises(ZeroDivisionError):
        main(["run", pendulum, "--traceback"])
