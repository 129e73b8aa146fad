"""The logger of the packages: the name and the form that TensorFlow's has."""

import logging
import sys

_FORM = "%(levelname)s:%(name)s:%(message)s"


class _Stderr(logging.StreamHandler):
    """Writes to the sys.stderr of the moment."""

    def __init__(self):
        super().__init__(sys.stderr)
        self.setFormatter(logging.Formatter(_FORM))

    def emit(self, record):
        self.stream = sys.stderr
        super().emit(record)


def get_logger():
    """The logger named tensorflow."""
    logger = logging.getLogger("tensorflow")
    if not any(isinstance(handler, _Stderr) for handler in logger.handlers):
        logger.addHandler(_Stderr())
        logger.propagate = False
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
    return logger


def warn(text):
    get_logger().warning(text)


_SAID = set()


def warn_once(text):
    """A warning that a process needs once."""
    if text not in _SAID:
        _SAID.add(text)
        warn(text)
