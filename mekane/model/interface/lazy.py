"""Methods and properties implemented in a package further on, which is loaded when one of them is first looked at.

From then on the class has the real function, with its own signature and help."""

from importlib import import_module


class Lazy:
    """Stands for a function of a module until it is needed; `made` turns that function into what the class gets."""

    def __init__(self, module: str, function: str, made=lambda function: function):
        self.module, self.function, self.made = module, function, made

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance, owner: type):
        real = self.made(getattr(import_module(self.module), self.function))
        setattr(owner, self.name, real)
        return real.__get__(instance, owner)


def lazy_method(module: str, function: str) -> Lazy:
    """A method whose body is the function of that name in `module`."""
    return Lazy(module, function)


def lazy_property(module: str, function: str, made=lambda function: function) -> Lazy:
    """A property computed by the function of that name in `module`, or by what `made` turns it into."""
    return Lazy(module, function, lambda real: property(made(real)))


def add_lazy(owner: type, name: str, lazy: Lazy) -> None:
    """Give a class that is already made a lazy attribute."""
    lazy.__set_name__(owner, name)
    setattr(owner, name, lazy)
