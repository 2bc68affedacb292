"""The names of the functions, one in a line: the smallest of languages."""

from mekane.exporters.languages._language import Language


class Listing(Language):
    title, suffix = "listing", ".lst"

    def text(self, functions, name):
        return f"{name}\n"


language = Listing()
