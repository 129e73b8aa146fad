"""Models and weights in files. The full forms of Keras and TensorFlow are not there yet: what is written is ours."""

import os

import numpy as np

from tilewright.missing import not_yet

_ENDING = ".weights.npz"


def _path(filepath):
    text = os.fspath(filepath)
    if text.endswith((".h5", ".hdf5", ".keras")):
        raise not_yet(f"weights in HDF5 ({text})", "Leave the ending away.")
    return text if text.endswith(".npz") else text + _ENDING


def save_weights(model, filepath, save_format=None):
    """Writes the weights by name as an .npz."""
    if save_format not in (None, "tf"):
        raise not_yet(f"save_weights with save_format={save_format!r}")
    path = _path(filepath)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    names = [variable.name for variable in model.weights]
    np.savez(path, names=np.array(names), **{f"weight_{i}": value for i, value in enumerate(model.get_weights())})


class LoadStatus:
    """What load_weights returns."""

    def expect_partial(self):
        return self

    def assert_consumed(self):
        return self

    assert_existing_objects_matched = assert_consumed


def load_weights(model, filepath, by_name=False):
    """Reads what save_weights wrote."""
    if by_name:
        raise not_yet("load_weights(by_name=True)")
    path = _path(filepath)
    if not os.path.exists(path):
        from tilewright.tf.errors import NotFoundError

        raise NotFoundError(None, None, f"Unsuccessful load of weights: there is no file {path}.")
    with np.load(path) as arrays:
        model.set_weights([arrays[f"weight_{i}"] for i in range(len(arrays["names"]))])
    return LoadStatus()


def save_model(model, filepath):
    """Writes a model with its compile arguments and weights as a project."""
    text = os.fspath(filepath)
    if not text.endswith(".tilewright"):
        raise not_yet(f"saving a model as {text!r}", "Give the name the ending .tilewright: the workbench opens it.")
    import _tilewright

    from tilewright.keras.training.fields import set_fields, system_fields
    from tilewright.tf.errors import from_engine

    project = model.project()
    set_fields(project, system_fields(model._strategy))
    if model._compiled and model.loss is not None:
        set_fields(project, model.compiled_fields(training=True))
        set_fields(project, model.ipu_fields(training=True))
    try:
        project.save(text, model.named_weights())
    except _tilewright.Error as error:
        raise from_engine(error) from None
