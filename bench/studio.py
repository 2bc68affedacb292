"""The studio: from a slider that moves to the answer that the page shows, for every mechanism of the gallery.

The peer is the run alone, by mk.simulate with the same tolerances, on a system that is there already: the rest is
reading the text, sliders, scene, health and packing. Times are of the processor, because the machine may be busy:
medians of several moves, each to a new value.
"""

import statistics
import time

from bench.table import Row, duration

MOVES = 7
WANTED = 0.2  # seconds


def rows():
    from mekane import gallery

    for mechanism in gallery.mechanisms():
        yield measured(mechanism)


def measured(mechanism):
    from mekane.view.studio import opening

    backend = opening.backend_of_mechanism(mechanism)
    first = posted(backend, text=backend.text, quick=True)
    slider = chosen(first["sliders"])
    values = [slider["value"] * (1 + 0.003 * (k + 1)) for k in range(MOVES + 1)]
    moves = [
        lambda value=value: posted(
            backend, text=backend.text, change={"path": slider["path"], "value": value}, quick=True
        )
        for value in values
    ]
    whole, alone = median(moves), median(runs_alone(backend.text))
    note = slider["name"] if whole <= WANTED else f"{slider['name']}; above {WANTED:g} s"
    return Row(f"studio: {mechanism.name}", duration(whole), "the run alone", duration(alone), whole / alone, note=note)


def posted(backend, **data):
    import json

    reply = json.loads(backend.post("/run", data).body)
    if "error" in reply:
        raise SystemExit(reply["error"]["text"])
    return reply


def chosen(sliders):
    """A mass or another number of the text that changes the motion and leaves it possible."""
    return next(
        (
            slider
            for group in ("masses", "parameters", "run")
            for slider in sliders
            if slider["group"] == group and slider["value"]
        ),
        sliders[0],
    )


def runs_alone(text):
    from mekane.analyses.simulate import simulate
    from mekane.view.studio.computation import bounded, quicker, read

    system, options = read(text)
    t_end, options, _ = bounded(options)
    return [lambda: simulate(system, t_end, **quicker(options))] * (MOVES + 1)


def median(acts):
    """The first is not counted: it may compile."""
    times = []
    for act in acts:
        begun = time.process_time()
        act()
        times.append(time.process_time() - begun)
    return statistics.median(times[1:])
