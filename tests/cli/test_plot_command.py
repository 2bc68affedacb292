"""mekane plot and mekane info. Oracles: the first bytes of the files, texts in an SVG, the tree of the model, refusals
in words."""

import json

import pytest


@pytest.fixture
def kept(mekane, pendulum):
    assert mekane("run", pendulum, "-o", "out.nc").code == 0
    return "out.nc"


def test_a_result_a_model_and_a_mechanism(mekane, folder, pendulum, kept):
    for arguments, picture in (
        ((kept,), "out.png"),
        ((pendulum, "hinge.angle", "arm.position", "-o", "p.svg"), "p.svg"),
        (("pendulum", "--t-end", "0.2"), "pendulum.png"),
    ):
        output = mekane("plot", *arguments)
        assert output.code == 0 and output.err == "" and output.out == f"Written: {picture}\n"
        assert (folder / picture).read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--phase", "hinge.angle"),
        ("--energy",),
        ("--residual",),
        ("--reactions", "hinge"),
        ("--against", "pendulum.yaml"),
    ],
)
def test_every_kind_of_picture(mekane, folder, kept, arguments):
    output = mekane("plot", kept, *arguments, "-o", "x.pdf")
    assert output.code == 0 and (folder / "x.pdf").read_bytes()[:4] == b"%PDF"


def test_a_spectrum_of_a_model(mekane, folder, pendulum):
    assert mekane("plot", pendulum, "--spectrum", "hinge.angle", "--every", "0.01", "-o", "x.PNG").code == 0
    assert (folder / "x.PNG").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("out.nc", "hinge.angel"), "Did you mean 'hinge.angle'?"),
        (("out.nc", "--reactions", "hing"), "Did you mean 'hinge'?"),
        (("out.nc", "--phase", "arm.orientation"), "a quantity with a rate is expected"),
        (("out.nc", "--energy", "--residual"), "--energy and --residual are given"),
        (("out.nc", "hinge.angle", "--energy"), "names and --energy are both given"),
        (("out.nc", "--set", "arm.mass=2"), "it is a result, and --set was given"),
        (("out.nc", "-o", "x.xyz"), "pictures are written as .png or .svg or .pdf. Write -o x.png"),
        (("out.nc", "-o", "no/x.png"), "there is no such folder"),
        (("pendulm",), "Did you mean 'pendulum'?"),
        (("nothing.yaml",), "there is no such file"),
        (("nothing.nc",), "nothing.nc"),
        (("broken.nc",), "broken.nc"),
    ],
)
def test_bad_options(mekane, folder, kept, arguments, problem):
    (folder / "broken.nc").write_bytes((folder / kept).read_bytes()[:1000])
    before = sorted(folder.iterdir())
    output = mekane("plot", *arguments)
    assert output.code == 2 and problem in output.err and output.out == ""
    assert sorted(folder.iterdir()) == before


# ---------------------------------------------------------------- info


def test_info_as_text_and_drawing(mekane, folder, four_bar):
    output = mekane("info", four_bar, "-o", "tree.svg")
    assert (
        output.code == 0
        and output.err == ""
        and "1 degree of freedom." in output.out
        and "  d (pin): rocker – ground" in output.out
    )
    drawn = (folder / "tree.svg").read_text()
    assert all(
        drawn.count(f'id="{gid}"') == 1 for gid in ("body ground", "body crank", "body rocker", "joint a", "joint d")
    )


def test_info_as_json(mekane, four_bar):
    data = json.loads(mekane("info", four_bar, "--json").out)
    assert [(link["body"], link["rides_on"], link["joint"]) for link in data["tree"]] == [
        ("crank", "ground", "a"), ("coupler", "crank", "b"), ("rocker", "coupler", "c"),
    ]  # fmt: skip
    assert data["cut"] == {"d": ["rocker", "ground"]} and data["degrees_of_freedom"] == 1
    absolute = json.loads(mekane("info", four_bar, "--formulation", "absolute", "--json").out)
    assert list(absolute["cut"]) == list("abcd") and {link["freedoms"] for link in absolute["tree"]} == {6}


def test_info_of_a_mechanism_and_of_nothing(mekane):
    assert "K7" in mekane("info", "squeezer").out
    assert mekane("info", "squezer").code == 2 and mekane("info", "squeezer", "-o", "x.nc").code == 2


def test_info_of_a_result_is_that_of_its_model(mekane, pendulum, kept):
    assert mekane("info", kept) == mekane("info", pendulum)
    assert mekane("run", pendulum, "--formulation", "absolute", "-o", "loose.nc").code == 0
    assert "Tree of the absolute formulation" in mekane("info", "loose.nc").out  # as it was run
    output = mekane("info", kept, "--set", "arm.mass=2")
    assert output.code == 2 and "it is a result, and --set was given" in output.err


def test_a_part_is_not_a_quantity(mekane, kept):
    """The first quantity of a part is offered, not the one with the shortest name."""
    assert "Write 'hinge.angle'." in mekane("plot", kept, "hinge").err
    assert "-o x.png" in mekane("plot", kept, "x.png").err


@pytest.mark.parametrize("option", ["--phase", "--reactions", "--spectrum"])
def test_an_empty_option_is_not_left_out(mekane, folder, kept, option):
    assert mekane("plot", kept, option, "").code == 2 and not (folder / "out.png").exists()


def test_files_of_other_programs(mekane, folder, kept):
    import h5py

    with h5py.File(folder / "other.h5", "w") as file:
        file["x"] = [1.0, 2.0]
    for command in ("plot", "info"):
        output = mekane(command, "other.h5")
        assert output.code == 2 and "was not written by Mekane" in output.err and "Warning" not in output.err
    output = mekane("check", kept)
    assert output.code == 2 and "it is a result, or another HDF5 file; a model file is text" in output.err
