"""A process that computes analyses for the studio, one after the other: it can be killed, which nothing in the studio's
own process can.

It reads {"path", "text", "data"} and writes {"answer"} or {"error"}, each one line of JSON. It ends when its input
does, with the studio.
"""

import json
import os
import sys
import threading
from queue import SimpleQueue

from mekane import errors
from mekane.errors import MekaneError
from mekane.view.studio.analyses import ANALYSES

FIELDS = ("part", "problem", "expected", "remedy")


def answered(request: dict) -> dict:
    try:
        return {"answer": analysis(request["path"])(request["text"], request["data"])}
    except MekaneError as error:
        return {
            "error": {
                "kind": type(error).__name__,
                **{name: getattr(error, name, "") for name in FIELDS},
                "text": str(error),
            }
        }
    except Exception as error:
        return {"error": {"kind": "", "text": f"{type(error).__name__}: {error}"[:300]}}


def analysis(path: str):
    """What answers a request: one of ANALYSES, or rows of the motion that this process steps."""
    if path != "/live-step":
        return ANALYSES[path]
    from mekane.view.studio.stepped.worker_side import advance

    return advance


def raised(reply: dict) -> Exception:
    """The exception that a worker reported."""
    kind = getattr(errors, reply["kind"], None)
    if kind is None or not all(name in reply for name in FIELDS):
        return RuntimeError(reply["text"])
    return kind(*(reply[name] for name in FIELDS))


def requests():
    """Lines of the input as they come; a thread of its own notices when it ends, also while something is computed."""
    lines = SimpleQueue()

    def listen():
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield json.loads(lines.get())


def main() -> None:
    replies, sys.stdout = sys.stdout, sys.stderr  # nothing else may come between the answers
    for request in requests():
        replies.write(json.dumps(answered(request), allow_nan=False) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
