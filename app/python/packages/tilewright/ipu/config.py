"""IPUConfig: the options of the system, by the engine's own list of them."""

import json

from tilewright.ipu.enums import (OF_OPTION, DeviceConnectionType, ExecutionProfileType, MergeRemoteBuffersBehaviour,  # noqa: F401
                                  SchedulingAlgorithm, SelectionOrder, StochasticRoundingBehaviour)
from tilewright.missing import nearest
from tilewright.tf.log import warn

_DEVICE_OPTIONS = ("auto_select_ipus", "select_ipus")
_DEPRECATED = {"optimizations.enable_fast_math": "Use optimizations.math.fast."}
_defaults = None
_configured = {"config": None}


class UnknownOption(AttributeError, ValueError):
    """A name that is no option of IPUConfig."""


def _option_defaults():
    """All options of the engine: a tree of names and defaults."""
    global _defaults
    if _defaults is None:
        import _tilewright

        _defaults = json.loads(_tilewright.Project.template("empty").get("ipu_config"))
    return _defaults


def _paths(tree, prefix=""):
    for name, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _paths(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _default(path, value):
    return OF_OPTION[path][value] if path in OF_OPTION else value


class Category:
    """Options and categories below one name."""

    def __init__(self, root, prefix, tree):
        own = self.__dict__
        own["_root"], own["_prefix"], own["_names"] = root, prefix, list(tree)
        for name, value in tree.items():
            path = prefix + name
            if isinstance(value, dict) and value:
                own[name] = Category(root, path + ".", value)
            else:
                default = _default(path, value)
                own[name] = default.copy() if isinstance(default, (dict, list)) else default

    def __getattr__(self, name):
        raise UnknownOption(self._unknown(name))

    def _unknown(self, name):
        full = self._prefix + name
        known = [path for path, _ in _paths(_option_defaults())]
        return f"'{full}' is no option of IPUConfig.{nearest(full, known)}"

    def __setattr__(self, name, value):
        own = self.__dict__
        if name not in own["_names"]:
            raise UnknownOption(self._unknown(name))
        path = self._prefix + name
        if isinstance(own[name], Category):
            raise Exception(f"'{path}' is a category of options, not an option: set one of the options below it.")
        _check_type(path, value)
        if path in _DEPRECATED and value != own[name]:
            warn(f"The option {path} is deprecated. {_DEPRECATED[path]}")
        own[name] = value

    def _items(self):
        for name in self._names:
            value = self.__dict__[name]
            if isinstance(value, Category):
                yield from value._items()
            else:
                yield self._prefix + name, value


def _expected(path):
    default = _default(path, dict(_paths(_option_defaults()))[path])
    return type(default)


def _check_type(path, value):
    """Types are compared exactly: True is no int, 1 is no float."""
    if path in _DEVICE_OPTIONS:
        if type(value) is int or (type(value) in (list, tuple) and all(type(part) is int for part in value)):
            return
        raise TypeError(f"The option {path} takes an int, a list of int or a tuple of int, not {value!r} of type "
                        f"{type(value).__name__}.")
    expected = _expected(path)
    if type(value) is not expected:
        raise TypeError(f"The option {path} takes the type {expected.__name__}, not {value!r} of type {type(value).__name__}.")


class Metadata:
    """What get_attribute_metadata tells of an option."""

    def __init__(self, path, default):
        self.name, self.default = path, default
        self.types = (int, list, tuple) if path in _DEVICE_OPTIONS else (_expected(path),)
        self.type = " or ".join(kind.__name__ for kind in self.types)
        self.deprecated, self.deprecated_msg = path in _DEPRECATED, _DEPRECATED.get(path)

    def check_type(self, value):
        _check_type(self.name, value)


class IPUConfig(Category):
    """The configuration of the IPU system. It takes effect with configure_ipu_system."""

    def __init__(self):
        super().__init__(self, "", _option_defaults())

    def configure_ipu_system(self, device="cpu"):
        configure_ipu_system(self, device)

    def get_attribute_metadata(self, name):
        for path, default in _paths(_option_defaults()):
            if path == name:
                return Metadata(path, _default(path, default))
        raise ValueError(self._unknown(name))

    def to_dict(self):
        """Flat, by full names; enumerations as numbers."""
        return {path: value.value if path in OF_OPTION else value for path, value in self._items()}

    def from_dict(self, options):
        for path, _ in list(self._items()):
            if path in options:
                value = options[path]
                self._set(path, OF_OPTION[path](value) if path in OF_OPTION else value)
            else:
                warn(f"The option {path} is missing in what is loaded: it keeps its value.")

    def _set(self, path, value):
        *categories, name = path.split(".")
        place = self
        for category in categories:
            place = getattr(place, category)
        setattr(place, name, value)

    def to_json(self):
        return json.dumps(self.to_dict())

    def from_json(self, text):
        self.from_dict(json.loads(text))

    def __str__(self):
        return "\n".join(f"{path} = {value}" for path, value in self._items())

    def project_fields(self):
        """The options that differ from their defaults, as fields of a project."""
        defaults = dict(_paths(_option_defaults()))
        fields = {}
        for path, value in self._items():
            plain = value.name if path in OF_OPTION else list(value) if isinstance(value, tuple) else value
            if plain != defaults[path]:
                fields["ipu_config." + path] = plain
        return fields

    def device_sizes(self):
        """IPUs of each device of TensorFlow."""
        count = self.auto_select_ipus
        return [count] if isinstance(count, int) else list(count)


def _check(config):
    auto, chosen = config.auto_select_ipus, config.select_ipus
    if auto not in ([], ()) and chosen not in ([], ()):
        raise Exception("Only one of auto_select_ipus and select_ipus may be set.")
    if isinstance(chosen, (list, tuple)) and len(set(chosen)) != len(chosen):
        raise ValueError(f"The ids in select_ipus must be unique; they are {list(chosen)}.")
    tiles = config.io_tiles
    group = config.norms.experimental.distributed_batch_norm_replica_group_size
    if group < 1:
        raise ValueError(f"norms.experimental.distributed_batch_norm_replica_group_size is {group}; it must be 1 or more.")
    if tiles.num_io_tiles > 0 and group > 1:
        raise ValueError("io_tiles.num_io_tiles and a distributed batch norm (replica group size > 1) cannot be used together.")
    if tiles.place_ops_on_io_tiles and tiles.num_io_tiles == 0:
        raise ValueError("io_tiles.place_ops_on_io_tiles needs io_tiles.num_io_tiles > 0.")
    connection = config.device_connection
    if connection.type in (DeviceConnectionType.PRE_COMPILE, DeviceConnectionType.NEVER) and not connection.version:
        raise ValueError(f"device_connection.type {connection.type.name} needs device_connection.version: ipu1, ipu2 or ipu21.")
    spread = config.experimental.multi_replica_distribution
    if spread.process_count > 0 and not 0 <= spread.process_index < spread.process_count:
        raise ValueError(f"experimental.multi_replica_distribution.process_index is {spread.process_index}; it must be from 0 to "
                         f"{spread.process_count - 1}.")


def configure_ipu_system(config, device="cpu", reset_configuration=True):
    """Makes a configuration the one of this process."""
    if not isinstance(config, IPUConfig):
        raise Exception(f"configure_ipu_system takes an IPUConfig, not {config!r}.")
    _check(config)
    for name in _DEVICE_OPTIONS:
        if isinstance(getattr(config, name), int):
            setattr(config, name, [getattr(config, name)])
    before = _configured["config"]
    if before is not None and before.to_dict() != config.to_dict() and reset_configuration:
        warn("The IPU system is configured already: its configuration is replaced.")
    kept = IPUConfig()
    kept.from_dict(config.to_dict())
    _configured["config"] = kept


def reset_ipu_configuration():
    _configured["config"] = None


def configured():
    """The configuration in effect; None before configure_ipu_system."""
    return _configured["config"]


def only_compiles():
    """Whether programs are compiled into the cache and never run: their results are zeros."""
    config = configured()
    return config is not None and config.device_connection.type is DeviceConnectionType.PRE_COMPILE


def get_ipu_config(session=None):
    if configured() is None:
        raise RuntimeError("No IPU device is configured. Use IPUConfig and configure_ipu_system.")
    return [configured()]
