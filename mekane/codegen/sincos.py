"""Sine and cosine of one argument together, as code: within one unit in the last place for every finite argument.

After fdlibm (k_sin, k_cos): x less the nearest multiple of π/2, kept as a sum of two doubles, then polynomials. The
multiple is taken off in parts of 33 bits, so that its products with less than 2²⁰ are exact. Larger arguments, which no
mechanism has for long, are left to the library of C, whose `sincos` the code generator may call for both: so this
function has another name.
"""

from mekane.codegen.llvm_writer import Writer

PARTS = 1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21  # of π/2
PER_QUARTER = 6.36619772367581382433e-01  # 2/π
FAR = 1.5e6
SIN = (
    8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06, -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)  # fmt: skip
SIN_FIRST = -1.66666666666666324348e-01
COS = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07,
    2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip


def call(writer, x):
    """Operands of sin x and cos x."""
    T = writer.shape.number
    if "@own_sincos" not in writer.needs:
        define(writer)
    pair = writer.result(f"call {{{T}, {T}}} @own_sincos({T} {x})")
    return [writer.result(f"extractvalue {{{T}, {T}}} {pair}, {k}") for k in range(2)]


def define(writer):
    """The function @own_sincos for numbers of the writer's shape."""
    shape, T = writer.shape, writer.shape.number
    w = Writer(shape, "s")
    w.needs = writer.needs
    size = w.call("fabs", "%x")
    small = w.result(f"fcmp olt {T} {size}, {shape.constant(FAR)}")
    if shape.lanes > 1:
        reduce = f"@llvm.vector.reduce.and.v{shape.lanes}i1"
        w.needs[reduce] = f"declare i1 {reduce}({shape.truth})"
        small = w.result(f"call i1 {reduce}({shape.truth} {small})")
    w.line(f"br i1 {small}, label %near, label %far, !prof !0")
    w.lines.append("near:")
    s, c = near(w)
    w.line("br label %both")
    w.lines.append("far:")
    far_s, far_c = w.library("sin", "%x"), w.library("cos", "%x")
    w.line("br label %both")
    w.lines.append("both:")
    s = w.result(f"phi {T} [{s}, %near], [{far_s}, %far]")
    c = w.result(f"phi {T} [{c}, %near], [{far_c}, %far]")
    pair = w.result(f"insertvalue {{{T}, {T}}} poison, {T} {s}, 0")
    pair = w.result(f"insertvalue {{{T}, {T}}} {pair}, {T} {c}, 1")
    head = f"define internal {{{T}, {T}}} @own_sincos({T} %x) alwaysinline nounwind {{"
    text = "\n".join([head, *w.lines, f"  ret {{{T}, {T}}} {pair}", "}"])
    writer.needs["@own_sincos"] = text + '\n!0 = !{!"branch_weights", i32 100000, i32 1}'


def near(w):
    """Code for arguments below FAR."""
    shape, T = w.shape, w.shape.number
    const = shape.constant
    add, sub, mul = (lambda a, b, op=op: w.result(f"{op} {T} {a}, {b}") for op in ("fadd", "fsub", "fmul"))
    k = w.call("rint", mul("%x", const(PER_QUARTER)))
    r, tail = reduced(k, add, sub, mul, const)
    s, c = sine(r, tail, add, sub, mul, const, w), cosine(r, tail, add, sub, mul, const, w)
    turn = w.result(f"fptosi {T} {k} to {shape.integer}")
    odd = bit(w, turn, 1)
    sine_of, cosine_of = choose(w, odd, c, s), choose(w, odd, s, c)
    after = w.result(f"add {shape.integer} {turn}, {shape.whole(1)}")
    return choose(w, bit(w, turn, 2), negative(w, sine_of), sine_of), choose(
        w, bit(w, after, 2), negative(w, cosine_of), cosine_of
    )


def reduced(k, add, sub, mul, const):
    """x − k π/2 as a sum of two doubles."""
    a = sub("%x", mul(k, const(PARTS[0])))  # exact
    b = mul(k, const(PARTS[1]))  # exact
    r = sub(a, b)
    back = add(r, b)
    lost = add(sub(a, back), sub(sub(back, r), b))  # a − b = r + lost, whichever of them is larger
    rest = sub(mul(k, const(PARTS[2])), lost)
    whole = sub(r, rest)
    return whole, sub(sub(r, whole), rest)


def sine(x, tail, add, sub, mul, const, w):
    z = mul(x, x)
    v = mul(z, x)
    inner = sub(mul(z, sub(mul(const(0.5), tail), mul(v, horner(w, z, SIN)))), tail)
    return sub(x, sub(inner, mul(v, const(SIN_FIRST))))


def cosine(x, tail, add, sub, mul, const, w):
    z = mul(x, x)
    half = mul(const(0.5), z)
    main = sub(const(1.0), half)
    small = sub(mul(mul(z, z), horner(w, z, COS)), mul(x, tail))
    return add(main, add(sub(sub(const(1.0), main), half), small))


def horner(w, z, coefficients):
    """Polynomial in z; its products and sums may be fused."""
    T, found = w.shape.number, w.shape.constant(coefficients[-1])
    for c in coefficients[-2::-1]:
        found = w.result(f"fadd contract {T} {w.result(f'fmul contract {T} {found}, {z}')}, {w.shape.constant(c)}")
    return found


def bit(w, integer, which):
    masked = w.result(f"and {w.shape.integer} {integer}, {w.shape.whole(which)}")
    return w.result(f"icmp ne {w.shape.integer} {masked}, {w.shape.whole(0)}")


def choose(w, truth, yes, no):
    return w.result(f"select {w.shape.truth} {truth}, {w.shape.number} {yes}, {w.shape.number} {no}")


def negative(w, x):
    return w.result(f"fneg {w.shape.number} {x}")
