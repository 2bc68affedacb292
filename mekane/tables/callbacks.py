"""Laws that are Python functions and cannot be traced: the address, in the tables, by which compiled code calls them
back."""

import ctypes
import signal
import threading
from contextlib import contextmanager

import numpy as np

from mekane.expressions.graph import evaluate, inputs
from mekane.tables.tables import CALLBACK

FUNCTION = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double))


class State:
    """What a called-back function sees: state["joint.angle"], state["body.position"] …"""

    def __init__(self, places, formulas, r):
        self._places, self._formulas, self._r = places, formulas, r

    def __getitem__(self, name):
        if name in self._places:
            return self._r[self._places[name]]
        if name in self._formulas:
            formula = self._formulas[name]
            return evaluate([formula], {one: self._r[self._places[one]] for one in inputs([formula])})[0]
        if f"{name}.x" in self._places or f"{name}.x" in self._formulas:
            return np.array([self[f"{name}.{axis}"] for axis in "xyz"])
        raise KeyError(f"the model has no {name!r}; it has {', '.join([*self._places, *self._formulas])}")


class ChangesItsMind(Exception):
    """A function that gives two values for the same time and state."""

    def __init__(self, function, t, value, again):
        super().__init__(f"{value:g}, then {again:g} at t = {t:g} s")
        self.function = function


class Callbacks:
    """Makes the model's Python functions callable from compiled code.

    An exception is kept in `error`; from then on values are not-a-number and nothing is called, so that the loop soon
    ends. Now and then, at the first evaluation and whenever their number has doubled, a function is called twice: it
    must give the same value again.
    """

    def __init__(self, program, tables):
        self.error, self.evaluations, self._alive = None, 0, None
        if not program.callbacks:
            return
        places = {name: i for i, name in enumerate(program.inputs)}
        size = len(program.registers())

        def fill(pointer):
            r = np.ctypeslib.as_array(pointer, (size,))
            self.evaluations += 1
            twice = self.evaluations & (self.evaluations - 1) == 0
            for register, function in program.callbacks:
                r[register] = self.value(function, float(r[0]), State(places, program.formulas, r), twice)

        self._alive = FUNCTION(fill)
        tables.count[CALLBACK] = ctypes.cast(self._alive, ctypes.c_void_p).value

    def value(self, function, t, state, twice):
        """Of one function; not-a-number once something has failed."""
        if self.error is not None:
            return np.nan
        try:
            found = float(function(t, state))
            if twice:
                again = float(function(t, state))
                if again != found and not np.isnan(found):
                    raise ChangesItsMind(function, t, found, again)
            return found
        except BaseException as error:  # Ctrl-C too: nothing can be raised through compiled code
            self.error = error
            return np.nan

    @contextmanager
    def keeping_interrupts(self, also=False):
        """While compiled code calls functions, Ctrl-C becomes `error`: raised in between, it would be lost. also: where
        it would interrupt something else that must be finished; a second one does."""
        usual = (self.called or also) and threading.current_thread() is threading.main_thread()
        if not usual or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        signal.signal(signal.SIGINT, self.keep_interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def keep_interrupt(self, *_):
        if self.error is not None and not self.called:
            raise KeyboardInterrupt
        self.error = self.error or KeyboardInterrupt()

    @property
    def called(self):
        """Whether there are functions to call."""
        return self._alive is not None
