"""Angles of very many turns: x − k π/2 for any finite x ≥ 2³⁰, after Payne and Hanek (1983).

x = m 2^e with an integer m of 53 bits. Of 2/π only the bits count that make x·2/π modulo 4 and its next 200 digits: the
window W = ⌊2/π · 2^(e + 254)⌋ mod 2²⁵⁶. Then m W mod 2²⁵⁶ holds the quarter turns in its two highest bits and the
fraction below. Doubles come within 2⁻⁶² of a multiple of π/2, so that more than 2⁻¹⁰⁰ of every remainder is right.
"""

from mekane.codegen.functions.pi import bits_of_two_over_pi
from mekane.codegen.llvm_writer import literal

DIGITS = 1280  # of 2/π in binary
REMAINDER = """define internal {{double, double, double}} @mekane.huge_angle(double %x) noinline cold nounwind {{
  %bits = bitcast double %x to i64
  %mantissa = and i64 %bits, 4503599627370495
  %m = or i64 %mantissa, 4503599627370496
  %exponent_bits = lshr i64 %bits, 52
  %exponent = and i64 %exponent_bits, 2047
  %shift = sub i64 {top}, %exponent
  %byte = lshr i64 %shift, 3
  %rest = and i64 %shift, 7
  %at = getelementptr i8, ptr @mekane.two_over_pi, i64 %byte
  %loaded = load i320, ptr %at, align 1
  %wide_rest = zext i64 %rest to i320
  %moved = lshr i320 %loaded, %wide_rest
  %window = trunc i320 %moved to i256
  %wide_m = zext i64 %m to i256
  %product = mul i256 %window, %wide_m
  %half = shl i256 1, 253
  %rounded = add i256 %product, %half
  %quarters = lshr i256 %rounded, 254
  %fraction = shl i256 %product, 2
  %below = icmp slt i256 %fraction, 0
  %opposite = sub i256 0, %fraction
  %f = select i1 %below, i256 %opposite, i256 %fraction
  %zeros = call i256 @llvm.ctlz.i256(i256 %f, i1 false)
  %normal = shl i256 %f, %zeros
  %first_bits = lshr i256 %normal, 203
  %first_word = trunc i256 %first_bits to i64
  %first = uitofp i64 %first_word to double
  %next_bits = lshr i256 %normal, 150
  %next_word = trunc i256 %next_bits to i64
  %next_part = and i64 %next_word, 9007199254740991
  %next = uitofp i64 %next_part to double
  %zeros_word = trunc i256 %zeros to i64
  %scale_exponent = sub i64 970, %zeros_word
  %scale_bits = shl i64 %scale_exponent, 52
  %scale = bitcast i64 %scale_bits to double
  %high = fmul double %first, %scale
  %small = fmul double %next, {next_scale}
  %low = fmul double %small, %scale
  %r = fmul double %high, {part0}
  %minus_r = fneg double %r
  %r_error = call double @llvm.fma.f64(double %high, double {part0}, double %minus_r)
  %r_low = call double @llvm.fma.f64(double %high, double {part1}, double %r_error)
  %tail = call double @llvm.fma.f64(double %low, double {part0}, double %r_low)
  %negative = icmp slt i64 %bits, 0
  %flip = xor i1 %below, %negative
  %minus_tail = fneg double %tail
  %r_signed = select i1 %flip, double %minus_r, double %r
  %tail_signed = select i1 %flip, double %minus_tail, double %tail
  %k_word = trunc i256 %quarters to i64
  %minus_k = sub i64 0, %k_word
  %k_signed = select i1 %negative, i64 %minus_k, i64 %k_word
  %k = sitofp i64 %k_signed to double
  %nothing = fsub double %x, %x
  %is_finite = fcmp oeq double %nothing, 0.0
  %value = select i1 %is_finite, double %r_signed, double %nothing
  %pair0 = insertvalue {{double, double, double}} poison, double %value, 0
  %pair1 = insertvalue {{double, double, double}} %pair0, double %tail_signed, 1
  %pair2 = insertvalue {{double, double, double}} %pair1, double %k, 2
  ret {{double, double, double}} %pair2
}}"""


def remainder(a, x, parts):
    """(r, tail, k): x − k π/2 = r + tail, lane by lane; k modulo 4."""
    define(a.needs, parts)
    kind, one_lane = "{double, double, double}", "@mekane.huge_angle"
    calls = a.all_lanes(lambda one: a.result(f"call {kind} {one_lane}(double {one})"), x)
    return [a.gathered([a.result(f"extractvalue {kind} {call}, {k}") for call in calls]) for k in range(3)]


def define(needs, parts):
    """The function of one number, and the digits it reads."""
    digits = bits_of_two_over_pi(DIGITS).to_bytes(DIGITS // 8 + 24, "little")
    listed = ", ".join(f"i8 {byte}" for byte in digits)
    needs["@mekane.two_over_pi"] = f"@mekane.two_over_pi = private constant [{len(digits)} x i8] [{listed}], align 8"
    needs["@llvm.ctlz.i256"] = "declare i256 @llvm.ctlz.i256(i256, i1)"
    needs["@llvm.fma.f64"] = "declare double @llvm.fma.f64(double, double, double)"
    text = REMAINDER.format(
        top=DIGITS - 254 + 1075, next_scale=literal(2.0**-53), part0=literal(parts[0]), part1=literal(parts[1])
    )
    needs["@mekane.huge_angle"] = text
