"""Exported text run in its language: a function (function name, t, y, p) → numbers, for each language that can be run
here."""

import ctypes
import json
import shutil
import subprocess

import numpy as np
import pytest
from javascript import run_javascript

from mekane.exporters import languages

STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
PLAYED = ("c", "numpy", "jax", "casadi", "matlab", "sympy", "javascript")


def play(functions, language, folder, name="model"):
    if language in ("jax", "casadi", "sympy"):
        pytest.importorskip(language)
    return globals()[f"play_{language}"](functions, languages.find(language).text(functions, name), folder, name)


def play_c(functions, text, folder, name):
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    (folder / f"{name}.c").write_text(text, encoding="utf-8")
    subprocess.run(
        ["gcc", *STRICT, "-O0", "-shared", "-fPIC", "-o", f"{name}.so", f"{name}.c", "-lm"], cwd=folder, check=True
    )
    library = ctypes.CDLL(str(folder / f"{name}.so"))

    def call(wanted, t, y, p):
        arrays = [np.array(x, float) for x in (y, p, np.full(functions[wanted].shape, np.nan))]
        getattr(library, f"{name}_{wanted}")(
            ctypes.c_double(t), *(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in arrays)
        )
        return arrays[2]

    return call


def play_numpy(functions, text, folder, name):
    names = {"__name__": name}
    exec(compile(text, f"{name}.py", "exec"), names)
    return lambda wanted, t, y, p: np.asarray(names[wanted](t, y, p))


play_jax = play_numpy


def play_casadi(functions, text, folder, name):
    """Its numbers are matrices."""
    call = play_numpy(functions, text, folder, name)
    return lambda wanted, t, y, p: np.array(call(wanted, t, y, p)).reshape(functions[wanted].shape)


def play_sympy(functions, text, folder, name):
    from sympy import lambdify

    names = {"__name__": name}
    exec(compile(text, f"{name}.py", "exec"), names)
    symbols = [names["t"], *names["START"], *names["VALUES"], *(z for z, _ in names["Z"])]
    compiled = lambda x: (reads := [one for one in symbols if x.has(one)], lambdify(reads, x, "numpy"))
    steps = [(z, *compiled(x)) for z, x in names["Z"]]
    outputs = {one.name: list(map(compiled, names[one.name])) for one in functions.functions}

    @np.errstate(all="ignore")
    def call(wanted, t, y, p):
        read = [y for one, y in zip(functions.state, y, strict=True) if not isinstance(one.symbol, float)]
        values = {one: np.float64(x) for one, x in zip(symbols, [t, *read, *p], strict=False)}  # without steps yet
        for z, reads, function in steps:
            values[z] = np.float64(function(*map(values.get, reads)))
        return np.array([function(*map(values.get, reads)) for reads, function in outputs[wanted]], float).reshape(
            functions[wanted].shape
        )

    return call


def play_matlab(functions, text, folder, name):
    octave = shutil.which("octave-cli")
    if octave is None:
        pytest.skip("there is no octave-cli here")
    (folder / f"{name}.m").write_text(text, encoding="utf-8")

    def call(wanted, t, y, p):
        y, p = ("; ".join(map(repr, map(float, x))) for x in (y, p))
        code = f"m = {name}(); x = m.{wanted}({t!r}, [{y}], [{p}])'; printf('%.17g ', x(:))"
        done = subprocess.run([octave, "--no-init-file", "--eval", code], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return np.array(done.stdout.split(), float).reshape(functions[wanted].shape)

    return call


def play_javascript(functions, text, folder, name):
    def call(wanted, t, y, p):
        y, p = (json.dumps(list(map(float, x))) for x in (y, p))
        found = run_javascript(text, f"Array.from({name}.{wanted}({t!r}, {y}, {p})).join(' ')")
        return np.array(found.replace("Infinity", "inf").split(), float).reshape(functions[wanted].shape)

    return call
