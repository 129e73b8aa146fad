"""The configuration, the strategy, and the options of models on IPUs."""

import contextlib
import io
import unittest

import support  # noqa: F401
import keras
import numpy as np
from support import blobs, ipu
from tensorflow.python import ipu as ipu_module

IPUConfig = ipu_module.config.IPUConfig


class Config(unittest.TestCase):
    def test_options_have_types_and_defaults(self):
        config = IPUConfig()
        self.assertIs(config.allow_recompute, False)
        self.assertEqual(config.io_tiles.available_memory_proportion, 0.9)
        self.assertIs(config.device_connection.type, ipu_module.config.DeviceConnectionType.ALWAYS)
        for path, value in [("allow_recompute", 1), ("io_tiles.num_io_tiles", True), ("io_tiles.available_memory_proportion", 1),
                            ("floating_point_behaviour.esr", True), ("auto_select_ipus", "1")]:
            *categories, name = path.split(".")
            place = config
            for category in categories:
                place = getattr(place, category)
            with self.subTest(path), self.assertRaisesRegex(TypeError, path):
                setattr(place, name, value)

    def test_unknown_names(self):
        config = IPUConfig()
        with self.assertRaisesRegex(AttributeError, "io_tiles.num_io_tile.*io_tiles.num_io_tiles"):
            config.io_tiles.num_io_tile = 3
        with self.assertRaisesRegex(AttributeError, "verification"):
            config.verification
        with self.assertRaisesRegex(Exception, "category"):
            config.io_tiles = 3

    def test_every_option_is_the_engines(self):
        from tilewright.keras.training.fields import set_fields
        import _tilewright

        config = IPUConfig()
        config.allow_recompute = True
        config.auto_select_ipus = (2,)
        config.selection_order = ipu_module.config.SelectionOrder.SNAKE
        config.convolutions.poplar_options["partialsType"] = "half"
        fields = config.project_fields()
        self.assertEqual(fields, {"ipu_config.allow_recompute": True, "ipu_config.auto_select_ipus": [2],
                                  "ipu_config.selection_order": "SNAKE", "ipu_config.convolutions.poplar_options":
                                  {"partialsType": "half"}})
        project = _tilewright.Project.template("empty")
        set_fields(project, fields)
        self.assertEqual(project.get("ipu_config.selection_order").strip('"'), "SNAKE")

    def test_rules_between_options(self):
        def wrong(**values):
            config = IPUConfig()
            for path, value in values.items():
                *categories, name = path.split("__")
                place = config
                for category in categories:
                    place = getattr(place, category)
                setattr(place, name, value)
            return config
        cases = [(wrong(auto_select_ipus=1, select_ipus=0), "Only one"), (wrong(select_ipus=[0, 0]), "unique"),
                 (wrong(io_tiles__place_ops_on_io_tiles=True), "num_io_tiles"),
                 (wrong(device_connection__type=ipu_module.config.DeviceConnectionType.NEVER), "version")]
        for config, text in cases:
            with self.subTest(text), self.assertRaisesRegex(Exception, text):
                config.configure_ipu_system()

    def test_dictionary_and_text(self):
        config = IPUConfig()
        config.io_tiles.num_io_tiles = 32
        other = IPUConfig()
        other.from_json(config.to_json())
        self.assertEqual(other.to_dict(), config.to_dict())
        self.assertIn("io_tiles.num_io_tiles = 32\n", str(config))
        self.assertEqual(config.get_attribute_metadata("io_tiles.num_io_tiles").types, (int,))


class OldConfig(unittest.TestCase):
    def test_each_function_returns_a_changed_copy(self):
        utils = ipu_module.utils
        first = utils.create_ipu_config(prefetch_data_streams=False)
        second = utils.set_floating_point_behaviour_options(utils.auto_select_ipus(first, 2), nanoo=False)
        self.assertEqual(first.auto_select_ipus, [])
        self.assertEqual((second.auto_select_ipus, second.optimizations.prefetch_data_streams), (2, False))
        behaviour = second.floating_point_behaviour
        self.assertEqual((behaviour.inv, behaviour.esr.name, behaviour.nanoo), (True, "ON", False))
        with self.assertRaisesRegex(TypeError, "prefetch_data_stream'.*prefetch_data_streams"):
            utils.create_ipu_config(prefetch_data_stream=True)

    def test_what_was_removed_is_told(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            ipu_module.utils.create_ipu_config(profiling=True)
        self.assertIn("profiling", said.getvalue())


class Strategy(unittest.TestCase):
    def test_scopes(self):
        one, other = (ipu_module.ipu_strategy.IPUStrategy() for _ in range(2))
        with one.scope(), one.scope():
            with self.assertRaises(RuntimeError), other.scope():
                pass
        with other.scope():
            pass

    def test_methods_need_the_scope(self):
        with self.assertRaisesRegex(AttributeError, "set_pipelining_options"):
            stages().set_pipelining_options(gradient_accumulation_steps_per_replica=2)


def stages(count=4):
    keras.backend.clear_session()
    return keras.Sequential([keras.Input((6,)), *(keras.layers.Dense(8, activation="relu") for _ in range(count - 1)),
                             keras.layers.Dense(3, activation="softmax")])


def trained(model, accumulation=None, steps=4, epochs=1, batch=8, **compile_options):
    x, y = blobs(steps * batch)
    model.compile("sgd", "sparse_categorical_crossentropy", steps_per_execution=steps, **compile_options)
    model.fit(x, y, batch_size=batch, epochs=epochs, verbose=0, shuffle=False)
    return model.get_weights()


class Accumulation(unittest.TestCase):
    def test_a_mean_of_micro_batches_is_a_large_batch(self):
        with ipu():
            large = stages()
            x, y = blobs(32)
            large.compile("sgd", "sparse_categorical_crossentropy")
            large.fit(x, y, batch_size=32, verbose=0, shuffle=False)
            small = stages()
            small.set_gradient_accumulation_options(4, "mean")
            trained(small)
            self.assertEqual(int(small.optimizer.iterations), 1)
            for a, b in zip(large.get_weights(), small.get_weights()):
                np.testing.assert_allclose(a, b, atol=1e-6)

    def test_rules(self):
        with ipu():
            model = stages()
            for steps in (0, -1, 1.5, True):
                with self.subTest(steps), self.assertRaises(ValueError):
                    model.set_gradient_accumulation_options(steps)
            with self.assertRaisesRegex(ValueError, "opt"):
                model.set_gradient_accumulation_options(2, opt=1)
            with self.assertRaisesRegex(ValueError, "median"):
                model.set_gradient_accumulation_options(2, "median")
            model.set_gradient_accumulation_options(3)
            with self.assertRaisesRegex(RuntimeError, "4.*3"):
                trained(model)


class LossScaling(unittest.TestCase):
    def test_a_scaled_loss_trains_as_an_unscaled_one(self):
        """A power of two changes no gradient of float32."""
        with ipu():
            weights = []
            for optimizer in ("sgd", keras.ipu.optimizers.ALSOptimizer(keras.optimizers.SGD(0.01), initial_loss_scaling_factor=8)):
                x, y = blobs(32)
                model = stages()
                model.compile(optimizer, "sparse_categorical_crossentropy")
                model.fit(x, y, batch_size=8, verbose=0)
                weights.append(model.get_weights())
            for a, b in zip(*weights):
                np.testing.assert_allclose(a, b, atol=1e-6)
        with self.assertRaisesRegex(ValueError, "increase_factor"):
            keras.ipu.optimizers.ALSOptimizer("sgd", increase_factor=3)


    def test_a_capturing_layer_is_the_layer_inside(self):
        with ipu(), contextlib.redirect_stderr(io.StringIO()):
            keras.backend.clear_session()
            inner = keras.layers.Dense(3, activation="softmax")
            tensor = keras.Input((6,))
            model = keras.Model(tensor, keras.ipu.layers.CaptureActivationGradients(inner)(tensor))
            self.assertEqual([layer.name for layer in model.layers], ["input_1", inner.name])
            before = model.get_weights()
            for a, b in zip(before, trained(model)):
                self.assertFalse((a == b).all())


class PreCompile(unittest.TestCase):
    def test_nothing_runs_and_results_are_zero(self):
        with ipu():
            config = IPUConfig()
            config.auto_select_ipus = 1
            config.device_connection.type = ipu_module.config.DeviceConnectionType.PRE_COMPILE
            config.device_connection.version = "ipu2"
            with contextlib.redirect_stderr(io.StringIO()) as said:
                config.configure_ipu_system()
                model = stages()
                before = model.get_weights()
                model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
                history = model.fit(*blobs(32), batch_size=8, epochs=2, verbose=0)
        self.assertEqual(history.history, {"loss": [0.0, 0.0], "accuracy": [0.0, 0.0]})
        self.assertIn("PRE_COMPILE", said.getvalue())
        self.assertTrue(all((a == b).all() for a, b in zip(before, model.get_weights())))


class Pipelines(unittest.TestCase):
    def test_a_pipeline_trains_as_accumulation_does(self):
        schedule = ipu_module.ops.pipelining_ops.PipelineSchedule
        with ipu():
            plain = stages()
            plain.set_gradient_accumulation_options(4)
            expected = trained(plain)
        for kind in (schedule.Grouped, schedule.Interleaved, schedule.Sequential):
            with self.subTest(kind), ipu(2):
                model = stages()
                model.set_pipeline_stage_assignment([0, 0, 1, 1])
                model.set_pipelining_options(gradient_accumulation_steps_per_replica=4, pipeline_schedule=kind)
                for a, b in zip(expected, trained(model)):
                    np.testing.assert_allclose(a, b, atol=1e-6)

    def test_the_scope_assigns_layers_and_calls(self):
        with ipu(2):
            tensor = keras.Input((6,))
            with keras.ipu.PipelineStage(0):
                first = keras.layers.Dense(8)
                late = keras.layers.Dense(3)
                hidden = first(tensor)
            with keras.ipu.PipelineStage(1):
                model = keras.Model(tensor, late(hidden))
            entries = model.get_pipeline_stage_assignment()
            self.assertEqual([(entry.layer.name, entry.pipeline_stage, entry.node_index) for entry in entries],
                             [(first.name, 0, 0), (late.name, 1, 0)])
            entries[1].pipeline_stage = 0
            model.set_pipeline_stage_assignment(entries)
            self.assertEqual(model.get_pipeline_stage_assignment()[1].pipeline_stage, 0)

    def test_rules(self):
        with self.assertRaises(RuntimeError), keras.ipu.PipelineStage(0):
            pass
        with self.assertRaises(ValueError):
            keras.ipu.PipelineStage(-1)
        with ipu(2):
            with self.assertRaises(RuntimeError), keras.ipu.PipelineStage(0), keras.ipu.PipelineStage(1):
                pass
            model = stages()
            for stages_given, error in [([0, 0, 1], ValueError), ([1, 1, 1, 1], ValueError), ([0, 2, 2, 2], ValueError),
                                        ([0, 1, 0, 1], ValueError)]:
                with self.subTest(stages_given), self.assertRaises(error):
                    model.set_pipeline_stage_assignment(stages_given)
            model.set_pipeline_stage_assignment([0, 0, 1, 1])
            for name in ("infeed_queue", "outfeed_mask"):
                with self.assertRaisesRegex(ValueError, name):
                    model.set_pipelining_options(**{name: 1})
            with self.assertRaisesRegex(ValueError, "gradient_accumulation_steps_per_replica"):
                trained(model)
        with ipu(1):
            model = stages()
            model.set_pipeline_stage_assignment([0, 0, 1, 1])
            model.set_pipelining_options(4)
            with self.assertRaisesRegex(ValueError, "2 IPUs.*1"):
                trained(model)


class Replicas(unittest.TestCase):
    def test_steps_are_divided_and_gradients_summed(self):
        """Two replicas of batch 8 and the sum of both make the step of one batch of 16 with twice the rate."""
        x, y = blobs(64)
        with ipu(2):
            two = stages()
            two.compile("sgd", "sparse_categorical_crossentropy")
            history = two.fit(x, y, batch_size=8, verbose=0, shuffle=False)
            self.assertEqual(history.params["steps"], 4)
        with ipu():
            one = stages()
            one.compile(keras.optimizers.SGD(0.02), "sparse_categorical_crossentropy")
            one.fit(x, y, batch_size=16, verbose=0, shuffle=False)
        for a, b in zip(one.get_weights(), two.get_weights()):
            np.testing.assert_allclose(a, b, atol=1e-6)

    def test_batches_that_are_dropped_are_told(self):
        x, y = blobs(24)
        with ipu(2), contextlib.redirect_stderr(io.StringIO()) as said:
            model = stages()
            model.compile("sgd", "sparse_categorical_crossentropy")
            self.assertEqual(model.fit(x, y, batch_size=8, verbose=0).params["steps"], 1)
        self.assertRegex(said.getvalue(), "3.*2 replicas.*1 are dropped")

    def test_a_long_execution_is_cut(self):
        x, y = blobs(32)
        with ipu(), contextlib.redirect_stderr(io.StringIO()) as said:
            model = stages()
            model.compile("sgd", "sparse_categorical_crossentropy", steps_per_execution=256)
            model.fit(x, y, batch_size=8, verbose=0)
        self.assertRegex(said.getvalue(), "256.*4 steps")


class OneIpu(unittest.TestCase):
    def test_a_training_validates_on_its_own_ipu(self):
        x, y = blobs(count=64)
        with ipu():
            model = keras.Sequential([keras.layers.Dense(3, activation="softmax", input_shape=(6,))])
            model.compile("sgd", "sparse_categorical_crossentropy")
            seen = []
            history = model.fit(x, y, batch_size=16, epochs=2, verbose=0, validation_data=(x, y), callbacks=[keras.callbacks.LambdaCallback(
                on_epoch_end=lambda epoch, logs: seen.append(model.predict(x, batch_size=16)))]).history
            self.assertAlmostEqual(history["val_loss"][-1], model.evaluate(x, y, batch_size=16, verbose=0), places=6)
            self.assertLess(history["val_loss"][1], history["val_loss"][0])
            np.testing.assert_array_equal(seen[-1], model.predict(x, batch_size=16))
            self.assertFalse(np.array_equal(seen[0], seen[1]))


if __name__ == "__main__":
    unittest.main()
