"""Python with NumPy: functions of one state, or of many at once."""

from mekane.exporters.languages._arrays import HELPER, Arrays
from mekane.exporters.languages._language import nonzero, place


class NumPy(Arrays):
    title, library = "Python", "np"
    own = ("np", "lookup", "many", "STATE", "PARAMETERS", "Y0", "P")
    helper = HELPER.format("np")
    imports = (
        "# y may be one state, (entries,), or many side by side, (entries, states); so may p.",
        "",
        "import numpy as np",
    )

    def function(self, function, functions, writer):
        found, shape = writer.open(function.outputs), "".join(f"{n}, " for n in function.shape)
        lines = ['@np.errstate(all="ignore")', f"def {function.name}(t, y, p=P):", f'    """{function.meaning}"""']
        lines += ["    t, y, p = (np.asarray(x, float)[()] for x in (t, y, p))"]
        lines += self.assigned(functions, found, writer)
        lines += [
            "    many = np.broadcast_shapes(np.shape(t), y.shape[1:], p.shape[1:])",
            f"    out = np.zeros(({shape}*many))",
        ]
        for k, x in nonzero(function.outputs):
            lines.append(f"    out[{', '.join(map(str, place(k, function.shape)))}] = {writer.value(x)}")
        return [*lines, "    return out", ""]


language = NumPy()
