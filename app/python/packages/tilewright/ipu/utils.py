"""tensorflow.python.ipu.utils: small functions around the configuration."""

import os

from tilewright.ipu.config import configured


def get_num_of_ipus_in_device(ipu_device, device="cpu"):
    """IPUs of a device."""
    sizes = configured().device_sizes() if configured() is not None else []
    ordinal = int(ipu_device.rpartition(":")[2])
    return sizes[ordinal] if ordinal < len(sizes) else 1


def running_on_ipu_model():
    return "--use_ipu_model" in os.environ.get("TF_POPLAR_FLAGS", "")


def move_variable_initialization_to_cpu(graph=None):
    """Without effect: first values are computed on the host."""
