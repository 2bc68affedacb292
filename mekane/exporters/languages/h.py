"""The header that belongs to the C99 file: sizes and prototypes."""

from mekane.exporters.languages.c import C, declarations


class Header(C):
    title, suffix = "C header", ".h"

    def text(self, functions, name):
        guard, names = f"{name.upper()}_H", self.names(functions)
        opened = ["#ifdef __cplusplus", 'extern "C" {', "#endif"]
        closed = ["#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */", ""]
        head = ["/*", *self.head(functions, names, f"{name}_"), " */", "", f"#ifndef {guard}", f"#define {guard}", ""]
        return "\n".join([*head, *opened, "", *declarations(functions, name), *closed])


language = Header()
