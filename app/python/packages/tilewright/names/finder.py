"""Makes the tree of names importable: one module object for each canonical name, under all its paths."""

import importlib
import importlib.machinery
import sys
import types

from tilewright.missing import nearest
from tilewright.names import tree

_MODULES = {}


class NameModule(types.ModuleType):
    """A public module. Its names are loaded when they are used first."""

    def __init__(self, name):
        super().__init__(tree.public(name))
        self.__dict__["_canonical"] = name
        self.__path__ = []
        if name == "tensorflow":
            self.__version__ = "2.6.3"
        elif name == "keras":
            self.__version__ = "2.6.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        module = self.__dict__["_canonical"]
        try:
            kind, target = tree.lookup(module, name)
        except tree.Missing as missing:
            known = [*tree.tables().get(module, {}), *tree.children(module)]
            raise AttributeError(f"{missing} is not there yet.{nearest(name, known)}") from None
        value = module_of(target) if kind == "module" else load(target)
        setattr(self, name, value)
        return value

    def __dir__(self):
        module = self.__dict__["_canonical"]
        return sorted({*tree.tables().get(module, {}), *tree.children(module)})

    def __repr__(self):
        return f"<module '{self.__name__}' (Tilewright)>"


def load(source):
    """The object behind "implementing.module:attribute"."""
    module, _, attribute = source.partition(":")
    value = importlib.import_module(module)
    for part in attribute.split("."):
        value = getattr(value, part)
    return value


def module_of(name):
    """The module object of a canonical name."""
    if name not in _MODULES:
        _MODULES[name] = NameModule(name)
        if name.split(".")[0] in tree.TOPS:
            sys.modules.setdefault(name, _MODULES[name])
    return _MODULES[name]


class _Loader:  # importlib.abc would take longer to load than all of this
    def __init__(self, name):
        self._name = name

    def create_module(self, spec):
        return module_of(self._name)

    def exec_module(self, module):
        pass


class _Finder:
    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] not in tree.TOPS:
            return None
        name = tree.canonical(fullname)
        if name not in tree.modules():
            return None
        return importlib.machinery.ModuleSpec(fullname, _Loader(name), is_package=True)


def install():
    """Lets `import tensorflow` and its relatives find our modules. Refuses to hide a TensorFlow that is loaded."""
    for top in tree.TOPS:
        loaded = sys.modules.get(top)
        if loaded is not None and not isinstance(loaded, NameModule) and not _is_entrance(loaded):
            raise ImportError(f"'{top}' of {getattr(loaded, '__file__', 'this process')} is loaded. "
                              "Tilewright's stands for it only in a process of its own: python3 -m tilewright SCRIPT.")
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    for top in tree.TOPS:
        sys.modules[top] = module_of(top)


def _is_entrance(module):
    return getattr(module, "tilewright_entrance", False)
