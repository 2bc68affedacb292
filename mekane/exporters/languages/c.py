"""C99: one file that needs only <math.h>."""

import re

from mekane.exporters.languages._language import FUNCTIONS, Language, Writer, nonzero, read, rows_of
from mekane.expressions.text import CHOICE

KEYWORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short
signed sizeof static struct switch typedef union unsigned void volatile while asm bool true false class new delete this template typename
namespace using public private protected virtual friend operator throw try catch export explicit mutable and or not xor bitand bitor compl
and_eq or_eq not_eq xor_eq typeid wchar_t constexpr decltype noexcept nullptr alignas alignof thread_local static_assert char8_t char16_t
char32_t const_cast dynamic_cast reinterpret_cast static_cast typeof main linux unix i386 i lookup
""".split()
OF_MATH_H = """
acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2 logb modf scalbn
scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc fmod remainder
remquo copysign nan nextafter nexttoward fdim fmax fmin fma fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal
isless islessequal islessgreater isunordered j0 j1 jn y0 y1 yn gamma signgam scalb drem significand finite pow10 exp10 sincos float_t
double_t INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO FP_FAST_FMA FP_ILOGB0 FP_ILOGBNAN
MATH_ERRNO MATH_ERREXCEPT math_errhandling DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS MAXFLOAT HUGE M_E M_PI
""".split()
LARGEST = 400  # steps of one function: compilers that optimize take more than twice as long for twice as many
STEP, IDENTIFIER = re.compile(r"\bz\d+\b"), re.compile(r"\b[A-Za-z]\w*")
SIGNATURE = "double t, const double *y, const double *p, double *out"

LOOKUP = """\
/* The value of a table at x. rows: point, c0, c1, c2, c3 of the piece from there on; before and after: beyond the ends. */
static double lookup(const double (*rows)[5], int n, double before, double after, double x)
{
    int low = 0, high = n - 1;
    double d;
    if (x < rows[low][0]) return before;
    if (x > rows[high][0]) return after;
    while (high - low > 1) {
        const int middle = (low + high)/2;
        if (x < rows[middle][0]) high = middle; else low = middle;
    }
    d = x - rows[low][0];
    return rows[low][1] + d*(rows[low][2] + d*(rows[low][3] + d*rows[low][4]));
}
"""


class C(Language):
    title, suffix, comment = "C", ".c", " * "
    reserved = frozenset(KEYWORDS + OF_MATH_H)
    calls = dict(zip(FUNCTIONS, FUNCTIONS, strict=True))
    infinity, nan = "INFINITY", "NAN"

    def choice(self, condition, yes, no):
        return CHOICE, f"{condition} ? {yes} : {no}"

    def lookup(self, number, x):
        return f"table{number}({x})"

    def text(self, functions, name):
        names = self.names(functions)
        writer = Writer(self, functions, names)
        head = ["/*", *self.head(functions, names, f"{name}_"), " */", "", "#include <math.h>", ""]
        parts = ["\n".join([*head, *declarations(functions, name)])]
        parts += [self.array(f"{name}_y0", functions.state), self.array(f"{name}_p", functions.parameters)]
        parts += (
            [LOOKUP, *[self.table(table, number) for table, number in writer.tables.items()]] if writer.tables else []
        )
        parts += [self.function(one, functions, name, writer) for one in functions.functions]
        return "\n".join(parts)

    def array(self, name, entries):
        """ISO C has no empty arrays: then one zero."""
        values = [one.value for one in entries] or [0.0]
        return f"const double {name}[{len(values)}] = {{\n    " + "\n    ".join(self.numbers(values)) + "\n};\n"

    def table(self, table, number):
        xs, pieces, before, after = rows_of(table)
        rows = ",\n    ".join(
            "{" + ", ".join(map(self.number, (x, *piece))) + "}" for x, piece in zip(xs, pieces, strict=True)
        )
        head = f"static double table{number}(double x)\n{{\n    static const double rows[{len(xs)}][5] = {{\n    {rows}\n    }};\n"
        return f"{head}    return lookup(rows, {len(xs)}, {self.number(before)}, {self.number(after)}, x);\n}}\n"

    def function(self, function, functions, name, writer):
        found = writer.open(function.outputs)
        if len(found.steps) > LARGEST:
            return in_parts(function, functions, f"{name}_{function.name}", writer, found)
        lines = [about(function), f"void {name}_{function.name}({SIGNATURE})", "{"]
        lines += [
            f"    const double {writer.inputs[one.symbol]} = {array}[{k}];" for array, k, one in read(functions, found)
        ]
        lines += [f"    const double {found.names[x]} = {writer.step(x)};" for x in found.steps]
        arrays = {array for array, _, _ in read(functions, found)} | {"t" for x in found.inputs if x.name == "t"}
        arrays |= {"out"} if function.outputs else set()
        lines += [f"    (void){argument};" for argument in ("t", "y", "p", "out") if argument not in arrays]
        given = nonzero(function.outputs)
        if len(given) < len(function.outputs):
            lines += [f"    for (int i = 0; i < {len(function.outputs)}; ++i) out[i] = 0.0;"]
        return "\n".join([*lines, *[f"    out[{k}] = {writer.value(x)};" for k, x in given], "}", ""])


def about(function):
    return f"/* {function.meaning}{'; row by row' if len(function.shape) == 2 else ''} */"


def in_parts(function, functions, name, writer, found):
    """A long function as one that calls others. What a part computes and others read stands in w."""
    steps = [(found.names[x], writer.step(x)) for x in found.steps]
    parts = [steps[k : k + LARGEST] for k in range(0, len(steps), LARGEST)]
    outputs = [(f"out[{k}]", writer.value(x)) for k, x in nonzero(function.outputs)]
    entries = {writer.inputs[one.symbol]: f"{array}[{k}]" for array, k, one in read(functions, found)}
    read_by = [steps_in(part) - {step for step, _ in part} for part in (*parts, outputs)]
    shared = sorted(set.union(*read_by), key=lambda step: int(step[1:]))
    places = {step: f"w[{k}]" for k, step in enumerate(shared)}
    lines = []
    for k, (part, needed) in enumerate(zip(parts, read_by, strict=False), 1):
        lines += [f"static void {name}_part{k}(double t, const double *y, const double *p, double *w)", "{"]
        lines += [*loads(part, needed, entries, places), *(f"    const double {step} = {text};" for step, text in part)]
        lines += [f"    {places[step]} = {step};" for step, _ in part if step in places] + ["}", ""]
    lines += [about(function), f"void {name}({SIGNATURE})", "{", f"    double w[{len(shared)}];"]
    lines += [f"    {name}_part{k}(t, y, p, w);" for k in range(1, len(parts) + 1)]
    lines += [f"    for (int i = 0; i < {len(function.outputs)}; ++i) out[i] = 0.0;"]
    lines += ["    {", *loads(outputs, read_by[-1], entries, places)]
    return "\n".join([*lines, *(f"    {place} = {text};" for place, text in outputs), "    }", "}", ""])


def steps_in(lines):
    return {step for _, text in lines for step in STEP.findall(text)}


def loads(lines, needed, entries, places):
    """Lines that read what the others need; arguments that none of them reads are named in any case."""
    used = {identifier for _, text in lines for identifier in IDENTIFIER.findall(text)}
    found = [f"    const double {identifier} = {place};" for identifier, place in entries.items() if identifier in used]
    found += [f"    const double {step} = {places[step]};" for step in places if step in needed]
    return [*found, "    (void)t; (void)y; (void)p; (void)w;"]


def declarations(functions, name):
    """Sizes and prototypes, as a header has them."""
    size = functions.sizes
    lines = ["enum {", ",\n".join(f"    {name}_n_{what} = {number}" for what, number in size.items()), "};"]
    lines += [f"extern const double {name}_y0[{max(size['state'], 1)}];     /* the start, after assembly */"]
    lines += [
        f"extern const double {name}_p[{max(size['parameters'], 1)}];      /* parameters as the model has them */"
    ]
    return [*lines, *[f"void {name}_{one.name}({SIGNATURE});" for one in functions.functions], ""]


language = C()
