"""The direct way: a project and arrays, without the names of TensorFlow."""

import _tilewright


def open(path):
    """A project from a .tilewright file or its JSON twin."""
    return _tilewright.Project.open(path)


def fit(project, x, y, weights=None, **options):
    """Trains a project on arrays to its last epoch; returns (epochs, weights, facts)."""
    training = _tilewright.Training(project, _named(x), _named(y), weights=weights, **options)
    epochs = []
    while not training.over:
        epochs += training.run()
    trained = training.weights()
    return epochs, trained, training.finish()


def _named(arrays):
    return arrays if isinstance(arrays, dict) else {"": arrays}
