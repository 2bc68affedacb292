"""C99: one file that needs only <math.h>."""

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
        lines = [f"/* {function.meaning}{'; row by row' if len(function.shape) == 2 else ''} */"]
        lines += [f"void {name}_{function.name}({SIGNATURE})", "{"]
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
