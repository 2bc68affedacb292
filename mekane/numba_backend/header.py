"""Headers: arrays of integers by which compiled code finds functions and arrays.

A header is MAGIC, its own length, addresses of functions, then address and shape of every array. See `views` for what
compiled code makes of it.
"""

MAGIC = 0x4D454B414E45  # the first integer of every header; the second is its length
HEAD = 2  # integers before the addresses
WIDTH = 3  # of an array in a header: address, rows, columns


class Layout:
    """Where the arrays of Tables or Workspace stand in a header. arrays: field → place, kind ("i", "f"), axes."""

    def __init__(self, cls, place):
        self.cls, self.place, self.arrays = cls, place, {}
        for field, (kind, axes) in zip(cls._fields, cls.kinds(), strict=True):
            self.arrays[field] = place, kind, axes
            place += WIDTH
        self.end = place


def listed(arguments):
    """Addresses and shapes of C-contiguous arrays, in tuples or not, as integers. The arrays must stay alive."""
    if isinstance(arguments, tuple):
        return [number for one in arguments for number in listed(one)]
    assert arguments.flags.c_contiguous
    return [arguments.ctypes.data, arguments.shape[0], arguments.shape[1] if arguments.ndim == 2 else 1]
