"""Asks the engine about one layer: shapes and types of its outputs, its weights, its whole configuration.

The engine is the only place that knows the layers. A probe is a model of inputs and this one layer.
"""

import functools
import json

import _tilewright
import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import dtypes
from tilewright.tf.errors import from_engine
from tilewright.tf.specs import TensorSpec


class Facts:
    """What the engine says of a layer for given inputs."""

    def __init__(self, outputs, weights, config):
        self.outputs = outputs    # TensorSpecs
        self.weights = weights    # rows of name, shape, dtype, trainable
        self.config = config      # every argument of the layer


def project_of(model):
    """The project of a Keras model's JSON; errors are ValueErrors that name the layer."""
    try:
        return _tilewright.Project.from_keras(json.dumps(model))
    except _tilewright.Error as error:
        raise from_engine(error) from None


def input_row(name, shape, dtype):
    """An InputLayer as Keras writes it."""
    if dtypes.as_dtype(dtype).name not in ("float32", "float16", "int32", "uint8", "bool"):
        raise not_yet(f"an input of type {dtypes.as_dtype(dtype).name}", "An IPU is fed with float32, float16, int32 or uint8.")
    return {"class_name": "InputLayer", "name": name, "inbound_nodes": [],
            "config": {"batch_input_shape": list(shape), "dtype": dtypes.as_dtype(dtype).name, "sparse": False, "ragged": False,
                       "name": name}}


def _model(class_name, config, inputs, kwargs, outputs):
    """The document of a probe. Each further output of the layer goes through a linear activation, which has its shape."""
    rows = [input_row(f"probe_{i}", shape, dtype) for i, (shape, dtype) in enumerate(inputs)]
    name = config["name"]
    node = [[row["name"], 0, 0, kwargs if i == 0 else {}] for i, row in enumerate(rows)]
    ends = [[name, 0, 0]]
    after = []
    for i in range(1, outputs):
        after.append({"class_name": "Activation", "name": f"probe_output_{i}", "inbound_nodes": [[[name, 0, i, {}]]],
                      "config": {"name": f"probe_output_{i}", "activation": "linear"}})
        ends.append([f"probe_output_{i}", 0, 0])
    return {"class_name": "Functional", "keras_version": "2.6.0", "backend": "tensorflow",
            "config": {"name": "probe", "layers": [*rows, {"class_name": class_name, "name": name, "config": config,
                                                           "inbound_nodes": [node]}, *after],
                       "input_layers": [[row["name"], 0, 0] for row in rows], "output_layers": ends}}


@functools.lru_cache(maxsize=4096)
def _ask(text, place):
    project = project_of(json.loads(text))
    try:
        layers = project.layers()[place:]
        config = json.loads(project.keras_json())["config"]["layers"][place]["config"]
    except _tilewright.Error as error:
        raise from_engine(error) from None
    outputs = [TensorSpec(layer["output_shapes"][0], layer["output_dtypes"][0]) for layer in layers]
    return Facts(outputs, layers[0]["weights"], config)


def facts(class_name, config, inputs, kwargs=None, outputs=1):
    """Facts of a layer called on inputs of (shape, dtype) with the arguments `kwargs` of the call."""
    return _ask(json.dumps(_model(class_name, config, inputs, kwargs or {}, outputs)), len(inputs))


def run(class_name, config, inputs, kwargs, outputs, weights):
    """The outputs of a layer called on arrays."""
    arrays = {f"probe_{i}": np.ascontiguousarray(array) for i, array in enumerate(inputs)}
    return predict(project_of(_model(class_name, config, [(array.shape, array.dtype) for array in inputs], kwargs, outputs)),
                   arrays, weights)


def predict(project, arrays, weights):
    """The outputs of a project's model on the host for all samples in one batch."""
    count = len(next(iter(arrays.values())))
    try:
        project.set("system.target", "cpu")
        project.set("training.batch_size", str(max(1, count)))
        return _tilewright.predict(project, arrays, weights)
    except _tilewright.Error as error:
        raise from_engine(error) from None


def initial_values(initializer, shape, seed):
    """First values of a weight of this shape that stands alone. `initializer`: its class_name and config."""
    try:
        return _tilewright.initial_values(json.dumps(initializer), list(shape), seed % 2**63)
    except _tilewright.Error as error:
        raise from_engine(error) from None
