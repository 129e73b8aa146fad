"""tensorflow.python.ipu.scopes: places of operations on the IPU."""

from tilewright.tf.device import device


def ipu_scope(device_name="/device:IPU:0"):
    """Operations in this scope are placed on an IPU."""
    return device(device_name)
