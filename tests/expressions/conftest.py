"""Tests here compile functions of their own that call Mekane's: Numba must know these, whichever test comes first."""

import pytest

from mekane.numba_backend.deferred import kernels_begin


@pytest.fixture(autouse=True, scope="session")
def known_to_numba():
    kernels_begin()
