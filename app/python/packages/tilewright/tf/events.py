"""TensorBoard's event files: records of Event messages, each with its length and two checksums."""

import os
import socket
import struct
import time
import zlib

import numpy as np


def _table():
    rows = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        rows.append(value)
    return rows


_CRC = _table()


def crc32c(data):
    """The Castagnoli checksum."""
    value = 0xFFFFFFFF
    for byte in data:
        value = _CRC[(value ^ byte) & 0xFF] ^ (value >> 8)
    return value ^ 0xFFFFFFFF


def _masked(data):
    """TFRecord's form of the checksum."""
    value = crc32c(data)
    return (((value >> 15) | (value << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(value):
    value &= 2**64 - 1
    parts = bytearray()
    while value > 0x7F:
        parts.append((value & 0x7F) | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _number(field, value):
    return _varint(field << 3) + _varint(int(value))


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _tensor(dtype, shape, content):
    """A TensorProto; `content`: its value field."""
    extents = b"".join(_bytes(2, _number(1, extent)) for extent in shape)
    return _number(1, dtype) + _bytes(2, extents) + content


def _metadata(plugin, data_class, description):
    text = _bytes(3, description) if description else b""
    return _bytes(1, _bytes(1, plugin)) + text + _number(4, data_class)


def _value(tag, tensor, plugin, data_class, description):
    return _bytes(1, _bytes(1, tag) + _bytes(9, _metadata(plugin, data_class, description)) + _bytes(8, tensor))


def scalar(tag, value, description=None):
    return _value(tag, _tensor(1, [], _bytes(5, struct.pack("<f", float(value)))), "scalars", 1, description)


def histogram(tag, values, buckets, description=None):
    """Rows of left edge, right edge and count."""
    values = np.asarray(values, np.float64).ravel()
    if values.size == 0:
        rows = np.zeros((0, 3))
    elif values.min() == values.max():
        rows = np.array([[values[0] - 0.5, values[0] + 0.5, values.size]])
    else:
        counts, edges = np.histogram(values, buckets)
        rows = np.stack([edges[:-1], edges[1:], counts], 1)
    return _value(tag, _tensor(1, rows.shape, _bytes(4, rows.astype("<f4").tobytes())), "histograms", 2, description)


def text(tag, value, description=None):
    return _value(tag, _tensor(7, [], _bytes(8, value)), "text", 2, description)


def images(tag, arrays, description=None):
    """Arrays of [height, width, 1, 2, 3 or 4] as uint8, all of one size."""
    height, width = arrays[0].shape[:2]
    parts = [str(width).encode(), str(height).encode(), *map(_png, arrays)]
    return _value(tag, _tensor(7, [len(parts)], b"".join(_bytes(8, part) for part in parts)), "images", 3, description)


def _png(pixels):
    height, width, channels = pixels.shape
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    lines = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels, np.uint8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


class EventFile:
    """A file in a folder that TensorBoard reads."""

    _made = 0

    def __init__(self, folder, suffix=""):
        os.makedirs(folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}.{EventFile._made}{suffix}"
        EventFile._made += 1
        self._file = open(os.path.join(folder, name), "wb")
        self._record(_bytes(3, "brain.Event:2"))

    def write(self, step, summary):
        self._record(_number(2, step) + _bytes(5, summary))

    def _record(self, event):
        event = _varint(1 << 3 | 1) + struct.pack("<d", time.time()) + event
        length = struct.pack("<Q", len(event))
        self._file.write(length + struct.pack("<I", _masked(length)) + event + struct.pack("<I", _masked(event)))

    def flush(self):
        self._file.flush()

    def close(self):
        self._file.close()
