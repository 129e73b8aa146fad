"""The tree of public modules: which exist, and what each of their names stands for."""

import functools

from tilewright.names.ipu_table import IPU
from tilewright.names.keras_table import KERAS
from tilewright.names.tensorflow_table import TENSORFLOW

#: Paths that are another name of a module; the longest that fits counts.
SAME = {
    "tensorflow.keras": "keras",
    "tensorflow.python.keras": "keras",
    "tensorflow.compat.v2": "tensorflow",
    "tensorflow.python.ipu": "ipu",
    "tensorflow.python.ipu.keras": "keras.ipu",
    "tensorflow.python.data.ops.dataset_ops": "tensorflow.data",
    "tensorflow.python.framework.tensor_spec": "tensorflow",
    "tensorflow.python.framework.tensor_shape": "tensorflow",
    "tensorflow.python.framework.dtypes": "tensorflow.dtypes",
    "tensorflow.python.framework.errors": "tensorflow.errors",
    "tensorflow.python.ops.math_ops": "tensorflow.math",
    "tensorflow.python.ops.nn": "tensorflow.nn",
    "tensorflow.optimizers": "keras.optimizers",
    "tensorflow.losses": "keras.losses",
    "tensorflow.metrics": "keras.metrics",
    "tensorflow.initializers": "keras.initializers",
    "tensorflow.data.experimental": "tensorflow.data",
    "keras.optimizer_v2.adam": "keras.optimizers",
    "keras.optimizer_v2.gradient_descent": "keras.optimizers",
    "keras.optimizer_v2.rmsprop": "keras.optimizers",
    "keras.optimizer_v2.optimizer_v2": "keras.optimizers",
    "keras.optimizer_v2": "keras.optimizers",
    "keras.optimizers.adam": "keras.optimizers",
    "keras.optimizers.gradient_descent": "keras.optimizers",
    "keras.optimizers.rmsprop": "keras.optimizers",
    "keras.optimizers.optimizer_v2": "keras.optimizers",
    "keras.engine.sequential": "keras.models",
    "keras.engine.functional": "keras.models",
    "keras.engine.training": "keras.models",
    "keras.engine.input_layer": "keras.layers",
    "ipu.keras": "keras.ipu",
    "ipu.pipelining_ops": "ipu.ops.pipelining_ops",
    "ipu.utils.config": "ipu.config",
}

#: Modules that exist only so that others can lie below them.
FOLDERS = {"tensorflow.python", "tensorflow.python.data", "tensorflow.python.data.ops", "tensorflow.python.framework",
           "tensorflow.python.ops", "tensorflow.compat", "tensorflow.compat.v1", "keras.engine", "ipu.ops", "ipu_tensorflow_addons",
           "ipu_tensorflow_addons.keras"}

#: Top-level modules. `ipu` is no top level of its own: its public path is tensorflow.python.ipu.
TOPS = ("tensorflow", "keras", "ipu_tensorflow_addons", "popdist")


class Missing(Exception):
    """A path below our modules that stands for nothing."""


@functools.lru_cache(maxsize=None)
def tables():
    """Canonical module name -> {name: "implementing.module:attribute"}."""
    modules = {}
    for table in (TENSORFLOW, KERAS, IPU):
        for module, rows in table.items():
            names = modules.setdefault(module, {})
            for source, text in rows:
                for word in text.split():
                    shown, _, inner = word.partition("=")
                    names[shown] = f"{source}:{inner or shown}"
    return modules


@functools.lru_cache(maxsize=None)
def modules():
    """Every canonical module, with the folders between them."""
    found = set(tables()) | set(FOLDERS)
    for name in list(found):
        while "." in name:
            name = name.rpartition(".")[0]
            found.add(name)
    return frozenset(found)


def canonical(path):
    """The one name of the module behind a path: tensorflow.keras.layers is keras.layers."""
    while True:
        for length in range(path.count(".") + 1, 0, -1):
            head = ".".join(path.split(".")[:length])
            if head in SAME and SAME[head] != head:
                path = SAME[head] + path[len(head):]
                break
        else:
            return path


def public(name):
    """The path that a message shows for a canonical module."""
    return "tensorflow.python." + name if name.split(".")[0] == "ipu" else name


def children(module):
    """Names of the modules directly below a canonical module, under whatever path they are reached."""
    below = {name.rpartition(".")[2] for name in modules() if name.rpartition(".")[0] == module}
    below |= {path.rpartition(".")[2] for path in SAME if path.rpartition(".")[0] == module}
    return below


def lookup(module, name):
    """What `name` of a canonical module stands for: ("module", canonical name) or ("value", source). Raises Missing."""
    path = canonical(f"{module}.{name}")
    source = tables().get(module, {}).get(name)
    if source:
        return "value", source
    if path in modules() and (path != module or name in children(module)):
        return "module", path
    raise Missing(f"{public(module)}.{name}")
