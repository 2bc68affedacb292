"""Where files are that a URDF file names: package://name/rest, model://name/rest, file:///path, or a relative path."""

from pathlib import Path
from urllib.parse import unquote


def resolve(uri: str | None, folder: Path | None) -> Path | None:
    """The file, if it is there; nothing is fetched. folder: that of the URDF file.

    The folder of a package is looked for upwards, as `name` in one of the folders above; the package's own folder may have
    another name than the package, so a folder above in which the rest is found counts, too."""
    scheme, _, rest = (uri or "").rpartition("://")
    if not rest or folder is None or scheme not in ("package", "model", "file", ""):
        return None
    if scheme in ("file", ""):
        return _there(folder / unquote(rest) if scheme else folder / rest)
    inside = rest.partition("/")[2]
    above = [folder, *folder.parents]
    named = (_there(one / rest) for one in above)
    otherwise = (_there(one / inside) for one in above)
    return next((path for path in (*named, *otherwise) if path is not None), None)


def _there(path: Path) -> Path | None:
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):
        return None
