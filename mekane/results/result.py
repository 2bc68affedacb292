"""Result (being written)."""


class Result:
    def __init__(self, system, compiled, record, info):
        self.system, self.compiled, self.record, self.info = system, compiled, record, info
        self.t = record.t
