"""Plain text, in the syntax of Python: m_2*l_1*cos(q_elbow)*u_elbow**2"""

from mekane.symbolic.printing.printer import Style, digits


class Text(Style):
    format = "text"

    def number(self, x):
        return digits(x)

    def brackets(self, text):
        return f"({text})"

    def times(self, parts):
        return "*".join(parts)

    def fraction(self, above, below):
        return f"{'*'.join(above)}/{below[0] if len(below) == 1 else self.brackets('*'.join(below))}"

    def power(self, base, exponent):
        return f"{base}**{exponent if exponent.isalnum() else self.brackets(exponent)}"

    def function(self, op, args):
        return f"{op}({', '.join(args)})"

    def raised_function(self, op, argument, n):
        return f"{op}({argument})**{n}"

    def comparison(self, op, a, b):
        return f"{a} {'<' if op == 'less' else '<='} {b}"

    def choice(self, condition, yes, no):
        return f"({yes} if {condition} else {no})"

    def table(self, table, x):
        return f"{self.table_name(table)}{'′' * table.order}({x})"
