"""Tabulated curves as code: the rows of a `Table` are constants of the module, one function finds the piece and
evaluates it.

As `mekane.expressions.table.interpolate` does it, lane by lane.
"""

import hashlib

from mekane.codegen.llvm_writer import literal

INTERPOLATE = """define internal double @interpolate(ptr %rows, i64 %n, i1 %is_curve, double %x) noinline nounwind {
  %last = sub i64 %n, 1
  %first_x = load double, ptr %rows
  %last_at = mul i64 %last, 6
  %last_row = getelementptr double, ptr %rows, i64 %last_at
  %last_x = load double, ptr %last_row
  %before = fcmp olt double %x, %first_x
  %after = fcmp ogt double %x, %last_x
  %outside = or i1 %before, %after
  br i1 %outside, label %end, label %search
end:
  %end_row = select i1 %before, ptr %rows, ptr %last_row
  %end_at = getelementptr double, ptr %end_row, i64 1
  %end_y = load double, ptr %end_at
  %zero = fmul double %x, 0.0
  %level = select i1 %is_curve, double %end_y, double 0.0
  %held = fadd double %zero, %level
  ret double %held
search:
  %low = phi i64 [0, %0], [%next_low, %halve]
  %high = phi i64 [%last, %0], [%next_high, %halve]
  %gap = sub i64 %high, %low
  %more = icmp sgt i64 %gap, 1
  br i1 %more, label %halve, label %found
halve:
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %middle_at = mul i64 %middle, 6
  %middle_row = getelementptr double, ptr %rows, i64 %middle_at
  %middle_x = load double, ptr %middle_row
  %left = fcmp olt double %x, %middle_x
  %next_low = select i1 %left, i64 %low, i64 %middle
  %next_high = select i1 %left, i64 %middle, i64 %high
  br label %search
found:
  %at = mul i64 %low, 6
  %row = getelementptr double, ptr %rows, i64 %at
  %begin = load double, ptr %row
  %d = fsub double %x, %begin
  %p0 = getelementptr double, ptr %row, i64 2
  %p1 = getelementptr double, ptr %row, i64 3
  %p2 = getelementptr double, ptr %row, i64 4
  %p3 = getelementptr double, ptr %row, i64 5
  %c0 = load double, ptr %p0
  %c1 = load double, ptr %p1
  %c2 = load double, ptr %p2
  %c3 = load double, ptr %p3
  %m3 = fmul double %d, %c3
  %s2 = fadd double %c2, %m3
  %m2 = fmul double %d, %s2
  %s1 = fadd double %c1, %m2
  %m1 = fmul double %d, %s1
  %s0 = fadd double %c0, %m1
  ret double %s0
}"""


def call(writer, table, x):
    """Operand of the value of a table at x."""
    rows = constant(writer, table)
    writer.needs["@interpolate"] = INTERPOLATE
    is_curve = "true" if table.order == 0 else "false"
    arguments = f"ptr {rows}, i64 {len(table.rows)}, i1 {is_curve}"
    return writer.each_lane(lambda one: writer.result(f"call double @interpolate({arguments}, double {one})"), x)


def constant(writer, table):
    """The rows of a table among the constants of the module; equal tables once."""
    numbers = table.rows.ravel()
    text = ", ".join(f"double {literal(number)}" for number in numbers)
    text = f"private unnamed_addr constant [{len(numbers)} x double] [{text}], align 8"
    name = f"@table.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    writer.needs[name] = f"{name} = {text}"
    return name
