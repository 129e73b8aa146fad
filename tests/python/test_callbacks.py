"""The event files of TensorBoard, asynchronous callbacks, and the reports of programs that a script runs."""

import glob
import os
import struct
import tempfile
import unittest

import numpy as np
from support import blobs, ipu

import tensorflow as tf
from tensorflow import keras
from tilewright.tf import events


def records(path):
    """The events of a file; fails where a checksum is wrong."""
    with open(path, "rb") as file:
        data = file.read()
    found = []
    while data:
        length, = struct.unpack("<Q", data[:8])
        assert struct.unpack("<I", data[8:12])[0] == events._masked(data[:8])
        event = data[12:12 + length]
        assert struct.unpack("<I", data[12 + length:16 + length])[0] == events._masked(event)
        found.append(event)
        data = data[16 + length:]
    return found


def fields(message):
    """The fields of a protobuf message: (number, value)."""
    found, place = [], 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
    while place < len(message):
        key = varint()
        if key & 7 == 0:
            found.append((key >> 3, varint()))
            continue
        size = {1: 8, 5: 4}.get(key & 7) or varint()
        found.append((key >> 3, message[place:place + size]))
        place += size
    return found


def values_of(path):
    """(tag, step, number or None) of each value of a file."""
    found = []
    for event in records(path)[1:]:
        parts = dict(fields(event))
        for _, value in fields(parts[5]):
            inner = dict(fields(value))
            tensor = dict(fields(inner[8]))
            found.append((inner[1].decode(), parts.get(2, 0), struct.unpack("<f", tensor[5])[0] if 5 in tensor else None))
    return found


def model_of():
    keras.backend.clear_session()
    model = keras.Sequential([keras.layers.Dense(3, activation="softmax", input_shape=(6,))])
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"], steps_per_execution=2)
    return model


class Summaries(unittest.TestCase):
    def test_the_checksum_is_castagnolis(self):
        self.assertEqual(events.crc32c(b"123456789"), 0xE3069283)

    def test_tensorboard_gets_each_epoch(self):
        x, y = blobs(count=64)
        with tempfile.TemporaryDirectory() as folder:
            history = model_of().fit(x, y, batch_size=16, epochs=2, verbose=0, validation_data=(x, y),
                                     callbacks=[keras.callbacks.TensorBoard(folder, histogram_freq=1)]).history
            train, = glob.glob(os.path.join(folder, "train", "events.out.tfevents.*"))
            values = values_of(train)
            self.assertEqual([(tag, step) for tag, step, number in values if number is None],
                             [(f"dense/{name}_0/histogram", epoch) for epoch in range(2) for name in ("kernel", "bias")])
            np.testing.assert_allclose([number for tag, _, number in values if tag == "epoch_loss"], history["loss"], rtol=1e-6)
            validation, = glob.glob(os.path.join(folder, "validation", "events.out.tfevents.*"))
            np.testing.assert_allclose([number for tag, _, number in values_of(validation) if tag == "epoch_accuracy"],
                                       history["val_accuracy"], rtol=1e-6)

    def test_images_are_pngs(self):
        import zlib

        pixels = np.arange(2 * 3, dtype=np.uint8).reshape(1, 2, 3, 1) * 40
        with tempfile.TemporaryDirectory() as folder:
            writer = tf.summary.create_file_writer(folder)
            with writer.as_default():
                self.assertTrue(tf.summary.image("picture", pixels, step=3))
                self.assertTrue(tf.summary.scalar("one", 1.5, step=4))
                with self.assertRaisesRegex(ValueError, "step"):
                    tf.summary.scalar("two", 2.0)
            writer.close()
            path, = glob.glob(os.path.join(folder, "events*"))
            tensor = dict(fields(dict(fields(dict(fields(dict(fields(records(path)[1]))[5]))[1]))[8]))
            width, height, png = (part for number, part in fields(dict(fields(dict(fields(dict(fields(records(path)[1]))[5]))[1]))[8])
                                  if number == 8)
            self.assertEqual((tensor[1], width, height), (7, b"3", b"2"))
            start = png.index(b"IDAT")
            size, = struct.unpack(">I", png[start - 4:start])
            lines = zlib.decompress(png[start + 4:start + 4 + size])
            self.assertEqual(lines, b"\0" + bytes([0, 40, 80]) + b"\0" + bytes([120, 160, 200]))
            self.assertEqual(values_of(path)[1], ("one", 4, 1.5))

    def test_numpys_joints(self):
        array = np.arange(12).reshape(2, 3, 2)
        joints = tf.experimental.numpy
        for name in ("vstack", "hstack", "dstack"):
            for parts in ([array, array], [array[0, 0], array[1, 1]]):
                np.testing.assert_array_equal(getattr(joints, name)([tf.constant(part) for part in parts]).numpy(), getattr(np, name)(parts))
        for part, wanted in zip(joints.dsplit(tf.constant(array), 2), np.dsplit(array, 2)):
            np.testing.assert_array_equal(part.numpy(), wanted)


class Executions(unittest.TestCase):
    def setUp(self):
        keras.backend.clear_session()

    def test_asynchronous_callbacks_hear_each_step(self):
        x, y = blobs(count=64)
        for asynchronous, wanted in ((False, [1, 3]), (True, [0, 1, 2, 3])):
            with ipu():
                model, heard = model_of(), []
                model.set_asynchronous_callbacks(asynchronous)
                model.fit(x, y, batch_size=16, verbose=0, callbacks=[keras.callbacks.LambdaCallback(
                    on_batch_end=lambda batch, logs: heard.append((batch, len(model.get_weights()))))])
                self.assertEqual(heard, [(batch, 2) for batch in wanted])

    def test_stages_of_one_ipu_share_a_layer(self):
        """The weights equal those without a pipeline, bit for bit."""
        import contextlib

        from tensorflow.python import ipu as tf_ipu

        x, y = blobs(count=64)

        def trained(staged, mapping=(0, 1, 0)):
            keras.backend.clear_session()
            with ipu(2 if staged else 1):
                layers = [keras.layers.Dense(6, activation="tanh") for _ in range(2)]
                stage = keras.ipu.PipelineStage if staged else lambda _: contextlib.nullcontext()
                tensor = inputs = keras.Input((6,))
                for number, layer in enumerate((layers[0], layers[1], layers[0])):
                    with stage(number):
                        tensor = layer(tensor)
                model = keras.Model(inputs, tensor)
                model.compile("adam", "mse", steps_per_execution=4)
                if staged:
                    model.set_pipelining_options(4, device_mapping=list(mapping),
                                                 pipeline_schedule=tf_ipu.pipelining_ops.PipelineSchedule.Sequential)
                else:
                    model.set_gradient_accumulation_options(4)
                model.fit(x, np.eye(6, dtype=np.float32)[y], batch_size=16, epochs=3, verbose=0)
                return model.get_weights()
        for left, right in zip(trained(False), trained(True)):
            np.testing.assert_array_equal(left, right)
        with self.assertRaisesRegex(ValueError, "dense.*several IPUs"):
            trained(True, (0, 1, 1))

    def test_the_table_of_stages(self):
        with ipu(2):
            model, lines = keras.Sequential([keras.layers.Dense(4, input_shape=(6,)), keras.layers.Dense(3)]), []
            model.set_pipeline_stage_assignment([0, 1])
            model.print_pipeline_stage_assignment_summary(print_fn=lines.append)
        self.assertEqual([line.split() for line in lines if line.startswith("dense_1")], [["dense_1", "(Dense)", "(0)", "dense", "1"]])
        self.assertEqual({len(line) for line in lines[1:]}, {89})


if __name__ == "__main__":
    unittest.main()
