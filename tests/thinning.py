"""Full products of parameters, thinned for `make test`.

Of a product such as every system × every formulation `make test` runs each system in one formulation, in the next one
for every further system and every further test of the file. So systems, formulations and tests meet pairwise, as far as
there are enough tests. A parameter called `formulation` is thinned so wherever it stands; others are by
`pytest.mark.thinned("method")`.

Where several tests of a file run over the same many systems, `pytest.mark.divided("name", 3)` says that each of them
takes a third of the systems, the next third for every further test: `make test` still runs every system, and every test.

The rest gets the mark `exhaustive`; `make test-all` runs it too. CI takes a third of it, `--share 2/3`: every third of
what each test leaves, another third for another commit. So within a few commits all of it is run, and every pair, by
`make test`, each time.
"""

from collections import Counter
from types import SimpleNamespace
from zlib import crc32

USUAL = {"thinned": SimpleNamespace(args=("formulation",))}  # where a test has no such mark


def left_to_test_all(items):
    """The items that the marks leave to `make test-all`."""
    rest = list(divided(items))
    among = {id(item) for item in rest}
    return [*rest, *thinned([item for item in items if id(item) not in among])]


def beyond_share(items, share):
    """Of these items those that are not in the share "k/n": every n-th of each test, from one that its name chooses, so
    that tests of few items are in different shares."""
    k, n = map(int, share.split("/"))
    if not 1 <= k <= n:
        raise ValueError(f"the share is {share}; 1/3, 2/3 or 3/3 is one of three")
    seen = Counter()
    for item in items:
        test = item.path, item.originalname
        if (seen[test] + crc32(item.originalname.encode())) % n != k - 1:
            yield item
        seen[test] += 1


def divided(items):
    for tests in by_file_and_test(
        items, "divided", lambda mark, names: [name for name in names if name == mark.args[0]]
    ):
        for i, groups in enumerate(tests):
            for j, (mark, group) in enumerate(groups):
                if (i + j) % mark.args[1]:
                    yield from group


def thinned(items):
    for tests in by_file_and_test(
        items, "thinned", lambda mark, names: [name for name in names if name not in mark.args]
    ):
        for i, groups in enumerate(tests):
            for j, (_, group) in enumerate(groups):
                kept = group[(i + j) % len(group)]
                yield from (item for item in group if item is not kept)


def by_file_and_test(items, name, same):
    """Of the items with this mark, or the usual one, for each file, for each test: its groups, each with the mark. A
    group is what agrees in the parameters that `same` chooses."""
    files = {}  # {file: {test: {values: (mark, items)}}}
    for item in items:
        mark, values = item.get_closest_marker(name) or USUAL.get(name), parameters(item)
        if mark is not None and values.keys() & set(mark.args):
            chosen = tuple(key(values[parameter]) for parameter in same(mark, values))
            tests = files.setdefault(item.path, {})
            tests.setdefault(item.originalname, {}).setdefault(chosen, (mark, []))[1].append(item)
    return [[list(groups.values()) for groups in tests.values()] for tests in files.values()]


def parameters(item):
    return item.callspec.params if hasattr(item, "callspec") else {}


def key(value):
    """What tells a parameter from others, also where it cannot be hashed."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value
