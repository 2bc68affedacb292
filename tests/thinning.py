"""Full products of parameters, thinned for `make test`.

A product such as every system × every formulation is marked `pytest.mark.thinned("formulation")`: `make test` runs each
system in one formulation, in the next one for every further system and every further test of the file. So systems,
formulations and tests meet pairwise, as far as there are enough tests. The rest gets the mark `exhaustive`; `make
test-all` runs it too.
"""


def thinned(items):
    """The items that the marks `thinned` leave to `make test-all`."""
    files = {}  # {file: {test: {other parameters: items}}}
    for item in items:
        mark, values = item.get_closest_marker("thinned"), parameters(item)
        if mark is not None and values.keys() & set(mark.args):
            others = tuple(key(value) for name, value in values.items() if name not in mark.args)
            tests = files.setdefault(item.path, {})
            tests.setdefault(item.originalname, {}).setdefault(others, []).append(item)
    for tests in files.values():
        for i, groups in enumerate(tests.values()):
            for j, group in enumerate(groups.values()):
                kept = group[(i + j) % len(group)]
                yield from (item for item in group if item is not kept)


def parameters(item):
    return item.callspec.params if hasattr(item, "callspec") else {}


def key(value):
    """What tells a parameter from others, also where it cannot be hashed."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value
