"""tf.device and tf.config: places of operations."""

import collections
import contextlib

PhysicalDevice = collections.namedtuple("PhysicalDevice", "name device_type")


@contextlib.contextmanager
def device(name):
    """Places eager operations. They are computed on the host; an IPU is named, but not used for them yet."""
    if "IPU" in str(name).upper():
        from tilewright.missing import not_yet

        raise not_yet(f"tf.device({name!r})", "Models run on the IPU in the scope of an IPUStrategy.")
    yield


def list_physical_devices(device_type=None):
    """The host, and the IPUs of the configuration."""
    from tilewright.ipu.config import configured

    sizes = configured().device_sizes() if configured() is not None else [1, 1]
    found = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    found += [PhysicalDevice(f"/physical_device:IPU:{i}", "IPU") for i in range(len(sizes))]
    return [entry for entry in found if device_type in (None, entry.device_type)]


list_logical_devices = list_physical_devices


@contextlib.contextmanager
def name_scope(name, *args, **kwargs):
    """A prefix of names in a graph; eager tensors have no names."""
    yield name
