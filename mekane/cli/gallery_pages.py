"""mekane gallery --html: pages of mechanisms into a folder, one after the other; Ctrl-C keeps those that are done."""

import time
from pathlib import Path

from mekane.cli.commands.run import exit_code
from mekane.cli.console import put, say
from mekane.cli.errors import DEFECT, INTERRUPTED
from mekane.errors import ModelError
from mekane.progress import Bar


def refuse(json: bool, name: str | None, changes: dict) -> None:
    if json:
        raise ModelError(
            "gallery", "--html and --json are both given", "pages are written to a folder", "Leave out --json."
        )
    if changes and name is None:
        option = next(iter(changes))
        raise ModelError(
            "gallery",
            f"--{option} is given for all mechanisms",
            "each has its own",
            f"Name one, or leave out --{option}.",
        )


def pages(mechanisms, folder: Path, changes: dict) -> int:
    """Write the pages and print what was written. Returns the exit code."""
    from mekane import gallery
    from mekane.view.web.gallery_page import check_folder, save_index

    check_folder(folder)
    begun, bar, done, off = (
        time.perf_counter(),
        Bar(len(mechanisms), lambda k, name: f"{name} ({k + 1} of {len(mechanisms)})"),
        [],
        [],
    )
    try:
        for k, mechanism in enumerate(mechanisms):
            bar(k, mechanism.name)
            off += [f"{mechanism.name}: {problem}" for problem in written(mechanism, folder, changes)]
            done.append(mechanism.name)
            save_index(gallery.mechanisms(), folder)
    except KeyboardInterrupt:
        bar.close()
        say(f"Stopped: {len(done)} of {len(mechanisms)} are written to {folder}; nothing of {mechanism.name} is.")
        return INTERRUPTED
    finally:
        bar.close()
    for line in off:
        say(line)
    put_written(folder, done, time.perf_counter() - begun)
    return DEFECT if off else 0


def written(mechanism, folder: Path, changes: dict) -> list[str]:
    """Run a mechanism and write its pages. Returns the checks it did not meet."""
    from mekane.view.web.gallery_page import save_mechanism

    run = mechanism.run(**changes)
    stopped = run.info["stopped"]
    if exit_code(stopped) == INTERRUPTED:
        raise KeyboardInterrupt
    outcomes = save_mechanism(mechanism, run, folder, changes.get("formulation", ""))
    return [f"not finished: {stopped}"] * bool(stopped) + [str(outcome) for outcome in outcomes if not outcome.met]


def put_written(folder: Path, done: list[str], seconds: float) -> None:
    size = sum(file.stat().st_size for name in done for file in folder.glob(f"{name}.*"))
    put(f"{len(done)} mechanism{'s' if len(done) > 1 else ''} in {seconds:.0f} s, {size / 1e6:.1f} MB: {folder}")
    put(f"Open {folder / 'index.html'} in a browser.")
