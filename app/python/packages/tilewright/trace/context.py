"""Which function is being traced. Without imports, so that every module can ask."""

_open = []


def current():
    """The graph of the function that is being traced; None outside."""
    return _open[-1] if _open else None


class Tracing:
    """Makes a graph the current one."""

    def __init__(self, graph):
        self._graph = graph

    def __enter__(self):
        _open.append(self._graph)
        return self._graph

    def __exit__(self, *_):
        _open.pop()
