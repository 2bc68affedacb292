"""Results as columns of numbers, without names."""

import numpy as np

suffixes = (".columns",)


def save(run, path, quantities=None):
    np.savetxt(path, np.column_stack([run.t, *(run.numbers(name) for name in quantities or ())]))
