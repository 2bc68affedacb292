"""Methods implemented in a package further on, which is loaded when the method is first called."""

from importlib import import_module


def lazy_method(module, name):
    """A method `name` whose body is the function of that name in `module`."""

    def method(self, *args, **keywords):
        return getattr(import_module(module), name)(self, *args, **keywords)

    method.__name__ = name
    method.__doc__ = f"See {module}.{name}."
    return method


def lazy_property(module, name):
    """A property computed by the function `name` of `module`."""
    return property(lazy_method(module, name), doc=f"See {module}.{name}.")
