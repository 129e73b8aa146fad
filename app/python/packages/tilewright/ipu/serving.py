"""Functions and models for serving: a folder with the program, and a function that answers requests."""

import os
import shutil

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf import nest
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import EagerTensor, convert_to_tensor

_NOTE = """This folder was written by Tilewright for one function.
{content}
It is in Tilewright's own form: a SavedModel's servers cannot load it. The function that the export has returned runs it.
"""


def export_single_step(predict_step, export_dir, iterations, predict_step_signature=None, input_dataset=None, output_names=None,
                       preprocessing_step=None, preprocessing_step_signature=None, postprocessing_step=None,
                       postprocessing_step_signature=None, purge_export_dir=False):
    """Compiles one function; returns a function that answers one request. Steps before and behind it run on the host.

    Raises ValueError if the folder is not empty, or if the signature comes from nowhere or from two places.
    """
    if int(iterations) < 1:
        raise ValueError("iterations must be 1 or more.")
    _prepare(export_dir, purge_export_dir)
    specs = _signature(predict_step, predict_step_signature, input_dataset, preprocessing_step is not None)
    served = Served(predict_step, specs, output_names, preprocessing_step, postprocessing_step)
    _write_graph(served, export_dir)
    return served


def export_pipeline(computational_stages, export_dir, iterations, *args, **kwargs):
    """Stages of functions over several IPUs: not there yet."""
    raise not_yet("serving.export_pipeline", "export_single_step exports a function for one IPU.")


def export_keras(model, export_dir, batch_size=None, output_names=None, preprocessing_step=None, preprocessing_step_signature=None,
                 postprocessing_step=None, postprocessing_step_signature=None, purge_export_dir=False):
    """Compiles a model for requests of one batch; writes it with its weights as a project."""
    if model.pipeline_stages():
        raise not_yet("the export of a pipelined model for serving", "Export it without stages.")
    _prepare(export_dir, purge_export_dir)
    specs = []
    for tensor in model.inputs:
        shape = list(tensor.shape)
        if batch_size is not None and shape[0] not in (None, batch_size):
            raise ValueError(f"The model fixes a batch of {shape[0]}, but batch_size is {batch_size}.")
        shape[0] = shape[0] if shape[0] is not None else batch_size
        if shape[0] is None:
            raise ValueError("The batch size of the model is open: give batch_size.")
        specs.append(TensorSpec(shape, tensor.dtype))
    form = model.network().input_nest

    def predict(*inputs):
        return model(nest.pack_sequence_as(form, inputs) if nest.is_nested(form) else inputs[0], training=False)

    served = Served(predict, specs, output_names, preprocessing_step, postprocessing_step)
    if model.described_layers():
        _write_graph(served, export_dir)
        return served
    model.save(os.path.join(export_dir, "model.tilewright"))
    _note(export_dir, "model.tilewright is a project with the model and its weights, which `tilewright` and its window open.")
    return served


def _write_graph(served, export_dir):
    with open(os.path.join(export_dir, "function.txt"), "w", encoding="utf-8") as file:
        file.write(served.text())
    _note(export_dir, "function.txt holds its graph.")


class Served:
    """A function for requests: arrays in, a list of tensors out; a dict with output_names, or what the last step returns."""

    def __init__(self, step, specs, output_names, before, behind):
        from tilewright.trace.function import Concrete, Function

        self._specs, self._before, self._behind = specs, _host(before), _host(behind)
        self._names = None if output_names is None else [output_names] if isinstance(output_names, str) else list(output_names)
        function = step if isinstance(step, Function) else Function(step)
        self._program = Concrete(function._name, function._converted(), [_sample(spec) for spec in specs], {}, _OnIpu)
        outputs = len(self._program.structured_outputs)
        if self._names is not None and len(self._names) != outputs and behind is None:
            raise ValueError(f"There are {len(self._names)} output_names and {outputs} outputs.")

    def text(self):
        return self._program.text()

    def __call__(self, *inputs):
        if self._before is not None:
            made = self._before(*[convert_to_tensor(value) for value in inputs])
            inputs = made if isinstance(made, (list, tuple)) else (made,)
        if len(inputs) != len(self._specs):
            raise TypeError(f"The function takes {len(self._specs)} tensors, not {len(inputs)}.")
        arguments = [_checked(value, spec, i) for i, (value, spec) in enumerate(zip(inputs, self._specs))]
        outputs = nest.flatten(self._program(arguments))
        if self._behind is not None:
            return self._behind(*outputs)
        return dict(zip(self._names, outputs)) if self._names is not None else outputs


class _OnIpu:
    """Stands for the strategy of functions that are served."""


def _host(step):
    return getattr(step, "python_function", step)


def _sample(spec):
    return EagerTensor(np.zeros(tuple(spec.shape), spec.dtype.as_numpy_dtype), spec.dtype)


def _checked(value, spec, i):
    tensor = convert_to_tensor(value)
    if tensor.dtype != spec.dtype or not spec.shape.is_compatible_with(tensor.shape):
        raise TypeError(f"Argument {i} is to be {spec.dtype.name} {spec.shape}, not {tensor.dtype.name} {tensor.shape}.")
    return tensor


def _signature(step, given, dataset, preprocessed):
    own = getattr(step, "input_signature", None)
    sources = [source for source in (given, dataset, own) if source is not None]
    if len(sources) > 1:
        raise ValueError("The signature of predict_step is given more than once: by its input_signature, predict_step_signature or input_dataset.")
    if not sources:
        raise ValueError("The signature of predict_step is not known: give predict_step_signature or input_dataset.")
    specs = nest.flatten(dataset.element_spec) if given is None and dataset is not None else list(sources[0])
    for i, spec in enumerate(specs):
        if not spec.shape.is_fully_defined():
            raise ValueError(f"Argument {i} of predict_step has the shape {spec.shape}: the IPU needs to know all of it.")
    return specs


def _prepare(folder, purge):
    if os.path.isdir(folder) and os.listdir(folder):
        if not purge:
            raise ValueError(f"The folder {folder} is not empty. Choose another one, or set purge_export_dir.")
        shutil.rmtree(folder)
    os.makedirs(folder, exist_ok=True)


def _note(folder, content):
    with open(os.path.join(folder, "README.txt"), "w", encoding="utf-8") as file:
        file.write(_NOTE.format(content=content))
