"""SIGTERM and SIGHUP end a command as Ctrl-C does: what was computed is kept."""

import signal
import threading
from contextlib import contextmanager

NAMES = ("SIGTERM", "SIGHUP")  # the second exists on POSIX systems only


@contextmanager
def ending_as_ctrl_c():
    """While a command runs. A signal that is ignored (nohup) stays so; handlers are left as they were found."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in NAMES if hasattr(signal, name)):
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, as_ctrl_c)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def as_ctrl_c(number, frame):
    signal.raise_signal(signal.SIGINT)
