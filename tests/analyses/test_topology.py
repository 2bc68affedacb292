"""How bodies hang together, and how many equations that makes. Oracles: the notes, the thesis' own count, and the
joints themselves."""

import systems

import mekane as mk
from mekane.formulations import NAMES as FORMULATIONS


def ball_chain(n=10):
    """THEORY §11, [T 2.4]: bodies adrift, joined one to the next by ball joints."""
    s = mk.System("chain")
    for k in range(n):
        s.body(f"b{k}", 1.0, (1, 1, 1), position=(k, 0, 0))
        if k:
            s.ball(f"j{k}", f"b{k - 1}", f"b{k}", at=(k - 0.5, 0, 0))
    return s


def counts(s):
    count = s.count_equations()
    return [count(method, kind) for kind in ("absolute", "generalized") for method in ("Newton", "Lagrange", "Kane")]


def test_count_of_the_thesis():
    """Ten bodies, nine ball joints: 87 + m, 87 + m, 60 and 60 + m (printed 69 + m), 33 + m, 33. A ball that closes a
    ring makes m = 3."""
    s = ball_chain()
    assert counts(s) == [87, 87, 60, 60, 33, 33]
    s.ball("ring", "b0", "b9", at=(4.5, 3, 0))
    assert counts(s) == [90, 90, 60, 63, 36, 33]
    assert "6N + c + m" in str(s.count_equations()) and "m = 3" in str(s.count_equations())


def test_count_of_a_four_bar():
    """Three bodies, three pins in the tree (15 equations, three coordinates) and one that closes the loop (5)."""
    assert counts(systems.four_bar()) == [18 + 15 + 5, 38, 18, 18 + 5, 3 + 5, 3]


def test_a_lone_point_mass_counts_three():
    s = mk.System("grain")
    s.body("grain", 1.0)
    assert counts(s) == [3, 3, 3, 3, 3, 3]


def test_a_body_comes_after_its_parent():
    """Added from the outside in, the chain is numbered from the ground out."""
    s = mk.System("backward")
    for name, x in (("tip", 2), ("middle", 1), ("root", 0)):
        s.body(name, 1.0, (1, 1, 1), position=(x, 0, 0))
    s.pin("c", "middle", "tip", at=(1.5, 0, 0), axis="z")
    s.pin("b", "root", "middle", at=(0.5, 0, 0), axis="z")
    s.pin("a", s.ground, "root", at=(0, 0, 0), axis="z")
    tree = s.topology
    assert tree.bodies == ("root", "middle", "tip") and tree.L == (0, 1, 2) and tree.below == (0, 1, 2)
    assert tree.path("tip") == ("tip", "middle", "root")
    assert s.topology("absolute").L == (0, 0, 0)


def test_every_tree_is_numbered_outward_and_every_joint_is_in_it_or_cut():
    for name, build in systems.named().items():
        s = build()
        for formulation in FORMULATIONS:
            tree = s.topology(formulation)
            assert sorted(tree.bodies) == sorted(s.bodies), name
            assert all(L < K for K, L in enumerate(tree.L, 1)), name
            assert [len(tree.path(body)) - 1 for body in tree.bodies] == list(tree.below), name
            held = {link.joint for link in tree.links if link.joint} | set(tree.cut)
            assert held == set(s.joints), name


def test_it_prints_and_shows_in_a_notebook():
    tree = systems.four_bar().topology
    text, page = str(tree), tree._repr_html_()
    assert all(word in text and word in page for word in ("L(K)", "u_K", "crank", "pin 3 (pin)"))
    assert page.count("<tr>") == 4 and "&" not in page.replace("&#x27;", "")
