"""Specialised code of one model: entries as machine code, and what making them took."""

import time

import llvmlite.binding as llvm

from mekane.codegen import emit
from mekane.codegen.entry_code import entry_code, loops
from mekane.codegen.machine_code import Machine
from mekane.errors import ModelError
from mekane.expressions.graph import topological


class Specialised:
    """Machine code of some entries. traced: a function that gives them; fallback: {name of an entry: address of the
    same by the loops};
    most: operations of one entry."""

    def __init__(self, traced, fallback, lanes=1, keep=True, most=None):
        begun = time.perf_counter()
        entries = traced()
        bodies, wrappers = zip(*(self.code_of(entry, lanes) for entry in entries), strict=True)
        self.operations = {entry.name: body.operations for entry, body in zip(entries, bodies, strict=True)}
        largest = max(self.operations.values())
        if most is not None and largest > most:
            raise ModelError("code", f"one evaluation has {largest} operations", f"code is made for at most {most}")
        self.text = emit.module(bodies, *wrappers)
        self.wanted = {place: value for entry in entries for place, value in entry.wanted.items()}
        for entry in entries:
            if entry.may_hand_over:
                llvm.add_symbol(loops(entry.name), fallback[entry.name])
        self.tracing = time.perf_counter() - begun
        self.machine = Machine(self.text, keep)

    @staticmethod
    def code_of(entry, lanes):
        inputs = [node for node in topological(entry.all_expressions()) if node.op == "input"]
        return entry_code(entry, inputs, lanes)

    @property
    def seconds(self):
        """Of tracing and of compiling."""
        return self.tracing, self.machine.seconds

    def address(self, name):
        return self.machine.address(name)

    def addresses(self):
        """{name of an entry: its address}"""
        return {name: self.address(name) for name in self.operations}

    def fits(self, workspace):
        """True if the active rows are those the code was made for."""
        return all(getattr(workspace, place.array)[place.index] == value for place, value in self.wanted.items())
