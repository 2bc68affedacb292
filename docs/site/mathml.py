"""Formulas as MathML, which browsers set by themselves: no script, no network.

`html_math_renderer = "mathml"` in conf.py chooses it. A formula that cannot be read is a warning, and warnings end the
build.
"""

import re

from docutils.nodes import SkipNode
from latex2mathml.converter import convert
from sphinx.util import logging

TAG = re.compile(r"\s*\\tag\{([^}]*)\}")
LEFT_OVER = re.compile(r"\\[A-Za-z]+")  # a command that was not understood is copied as it stands
ACCENT = re.compile(r"<mover>(?=<mrow><mi>[^<]*</mi></mrow><mo>)")  # dots and tildes stand close to their letter
ASSIGNED = re.compile(r"<mo><mrow><mo>(&#x0002B;|&#x02212;)</mo></mrow></mo><mo>&#x0003D;</mo>")  # \mathrel{+}=
log = logging.getLogger(__name__)


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def inline(translator, node):
    translator.body.append(mathml(node.astext(), "inline", node))
    raise SkipNode


def display(translator, node):
    """With its label at the right margin. Wide formulas scroll inside their own box."""
    text = node.astext()
    labels = TAG.findall(text)
    label = f'<span class="eqno">{", ".join(f"({name})" for name in labels)}</span>' if labels else ""
    formula = mathml(TAG.sub("", text), "block", node)
    translator.body.append(f'<div class="formula"><div class="formula-body">{formula}</div>{label}</div>\n')
    raise SkipNode


def mathml(text, kind, node):
    try:
        formula = convert(prepared(text), display=kind)
    except Exception as problem:  # the converter's errors have no common class
        log.warning("formula %r: %r", text, problem, location=node)
        return ""
    for command in LEFT_OVER.findall(formula):
        log.warning("formula %r: %s is not known", text, command, location=node)
    formula = ASSIGNED.sub(r'<mo lspace="0.28em" rspace="0.28em">\1=</mo>', formula)
    return ACCENT.sub(r'<mover accent="true">', formula)


def prepared(text):
    """What the converter does not know, in words that it knows."""
    text = text.replace(r"\begin{aligned}", r"\begin{align*}").replace(r"\end{aligned}", r"\end{align*}")
    return text.replace(r"\tfrac", r"\frac").replace(r"\dfrac", r"\frac")
