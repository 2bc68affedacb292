"""MuJoCo's own compiler: it resolves defaults, includes, frames and inertias, so that what is read is what MuJoCo has.

Files of meshes, textures and height fields that are missing are taken out before, with what shows them.
"""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from pathlib import Path

from mekane.errors import FileError, ModelError
from mekane.importers.mjcf.inertia import WrongInertia, inertia_refusal, wrong_inertias
from mekane.importers.urdf.report import Report

INSTALL = 'Install it: pip install mujoco-core, or pip install "mekane[mjcf]".'
LONGEST = 400  # letters of what MuJoCo says


def mujoco_module():
    """MuJoCo, or an error that says what to install."""
    try:
        import mujoco
    except ImportError:
        raise ModelError(
            "load_model", "MuJoCo is not installed", "MJCF files are compiled by MuJoCo itself", INSTALL
        ) from None
    return mujoco


def compiled(text: str, path: Path | None, others: dict[str, str], source: str, report: Report, unphysical=False):
    """The compiled model of a text.  path: its file, if it is in one.  others: texts that it includes, by name.  unphysical:
    True accepts inertias that no body has, which MuJoCo refuses."""
    mujoco = mujoco_module()
    with warnings.catch_warnings(record=True) as heard, _warnings_as_pythons(mujoco):
        warnings.simplefilter("always")
        try:
            spec = _parsed(mujoco, text, path, others)
        except (ValueError, RuntimeError) as error:
            raise _refusal(source, error) from None
        spec.compiler.fusestatic = False  # every body of the file stays a body
        spec.compiler.discardvisual = False
        lost = _take_out_missing(spec, report)
        try:
            model = spec.compile()
        except (ValueError, RuntimeError) as error:
            wrong = wrong_inertias(spec)
            if not wrong:
                raise _refusal(source, error, lost) from None
            if not unphysical:
                raise inertia_refusal(source, wrong) from None
            model = _compiled_with(mujoco, spec, wrong, source, lost)
    for one in dict.fromkeys(" ".join(str(warning.message).split()) for warning in heard):
        report.remark(f"MuJoCo warns: {one}")
    return model


@contextmanager
def _warnings_as_pythons(mujoco):
    """Warnings of MuJoCo itself are those of Python meanwhile, and not lines of a file MUJOCO_LOG.TXT where one works."""
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: warnings.warn(text, stacklevel=2))
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)


def _parsed(mujoco, text: str, path: Path | None, others: dict[str, str]):
    """MuJoCo reads files whose names end in .xml; others as a text with its place."""
    if path is not None and path.suffix.lower() == ".xml":
        return mujoco.MjSpec.from_file(str(path.resolve()))  # names of meshes are those of this folder
    spec = mujoco.MjSpec.from_string(text, include={name: one.encode() for name, one in others.items()})
    if path is not None:
        spec.modelfiledir = str(path.resolve().parent)
    return spec


def _refusal(source: str, error: Exception, lost: list[str] | None = None) -> FileError:
    why = " ".join(str(error).replace("Error:", "").split())[:LONGEST]
    remedy = f"These files are missing: {', '.join(lost)}." if lost else ""
    return FileError(source, f"MuJoCo does not compile it: {why}", "an MJCF model that MuJoCo reads", remedy)


def _compiled_with(mujoco, spec, wrong: list[WrongInertia], source: str, lost: list[str]):
    """Compiled with other inertias in their place, which are put back."""
    for one in wrong:
        one.take_out()
    try:
        model = spec.compile()
    except (ValueError, RuntimeError) as error:
        raise _refusal(source, error, lost) from None
    for one in wrong:
        one.put_back(mujoco, model)
    return model


# ---------------------------------------------------------------- missing files


def _take_out_missing(spec, report: Report) -> list[str]:
    """Take out what is in files that are not there. Their names."""
    folder = Path(spec.modelfiledir or ".")
    lost = []
    for kind, assets, subfolder in (
        ("mesh", spec.meshes, spec.compiler.meshdir),
        ("hfield", spec.hfields, spec.compiler.meshdir),
        ("texture", spec.textures, spec.compiler.texturedir),
        ("skin", spec.skins, spec.compiler.meshdir),
    ):
        for asset in list(assets):
            missing = [file for file in _files(asset) if not _is_there(file, folder, subfolder, spec.strippath)]
            if missing:
                lost += missing
                report.add(f"<asset><{kind}>", ", ".join(missing), "its file is not found")
                _take_out(spec, kind, asset)
    return lost


def _files(asset) -> list[str]:
    return [file for file in (getattr(asset, "file", ""), *getattr(asset, "cubefiles", ())) if file]


def _is_there(file: str, folder: Path, subfolder: str, strip: bool) -> bool:
    name = Path(file).name if strip else file
    return any((folder / subfolder / one).is_file() for one in (name, file)) or (folder / name).is_file()


def _take_out(spec, kind: str, asset) -> None:
    name = asset.name or Path(asset.file).stem
    if kind in ("mesh", "hfield"):
        shown = [geom for geom in spec.geoms if getattr(geom, f"{kind}name") == name]
        for one in [*shown, *(site for site in spec.sites if getattr(site, "meshname", "") == name)]:
            spec.delete(one)
    if kind == "texture":
        for material in spec.materials:
            material.textures = ["" if one == name else one for one in material.textures]
    spec.delete(asset)
