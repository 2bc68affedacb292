"""Opening a page in the browser of the user, where there is one."""

import os
import sys
import webbrowser


def opened(address: str) -> bool:
    """Whether a browser took it. Without a display none is tried: one for terminals would take the terminal."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    if sys.platform.startswith("linux") and not display:
        return False
    try:
        return bool(webbrowser.open(address))
    except (webbrowser.Error, OSError):
        return False
