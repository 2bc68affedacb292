"""Python with JAX: pure functions, to be compiled (jit), differentiated (jacfwd, grad) and mapped over many states
(vmap)."""

from mekane.exporters.languages._arrays import HELPER, Arrays
from mekane.exporters.languages._language import nonzero


class Jax(Arrays):
    title, library, goes_by_suffix = "Python", "jnp", False
    own = ("jax", "jnp", "lookup", "values", "STATE", "PARAMETERS", "Y0", "P")
    helper = HELPER.format("jnp")
    imports = (
        "import jax",
        "import jax.numpy as jnp",
        "",
        'jax.config.update("jax_enable_x64", True)  # numbers of 64 bits',
    )

    def function(self, function, functions, writer):
        found, given = writer.open(function.outputs), nonzero(function.outputs)
        lines = [
            f"def {function.name}(t, y, p=P):",
            f'    """{function.meaning}"""',
            "    y, p = jnp.asarray(y), jnp.asarray(p)",
        ]
        lines += self.assigned(functions, found, writer)
        values = (
            ["    values = jnp.array([", *[f"        {writer.value(x)}," for _, x in given], "    ], float)"]
            if given
            else []
        )
        places = f".at[jnp.array([{', '.join(str(k) for k, _ in given)}])].set(values)" if given else ""
        size, shape = len(function.outputs), ", ".join(map(str, function.shape))
        return [*lines, *values, f"    return jnp.zeros({size}){places}.reshape({shape})", ""]


language = Jax()
