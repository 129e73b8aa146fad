"""What the tests share: the packages in the path, and small data.

Run with the folder of the extension module in PYTHONPATH: python3 -m unittest discover -s tests/python
"""

import contextlib
import io
import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = os.path.join(_ROOT, "app", "python", "packages")
if PACKAGES not in sys.path:
    sys.path.insert(0, PACKAGES)

import numpy as np  # noqa: E402

from tilewright.names import install  # noqa: E402

install()


def blobs(count=96, features=6, classes=3, seed=3):
    """Samples around one point for each class: x float32, y class numbers."""
    generator = np.random.default_rng(seed)
    y = generator.integers(0, classes, count)
    centres = generator.normal(0, 3, (classes, features))
    return (centres[y] + generator.normal(0, 1, (count, features))).astype(np.float32), y.astype(np.int32)


@contextlib.contextmanager
def console():
    """Captures what is printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        yield out


@contextlib.contextmanager
def ipu(count=1):
    """The scope of a strategy on a system of so many IPUs."""
    from tilewright.ipu.config import IPUConfig, reset_ipu_configuration
    from tilewright.ipu.strategy import IPUStrategy

    reset_ipu_configuration()
    config = IPUConfig()
    config.auto_select_ipus = count
    config.configure_ipu_system()
    with IPUStrategy().scope() as strategy:
        yield strategy
    reset_ipu_configuration()
