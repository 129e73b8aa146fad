"""What fit and evaluate print: the bytes of Keras's progress bar."""

import re
import unittest

import support  # noqa: F401
import keras
import numpy as np
from support import blobs, console
from test_fit import compiled


def final(text):
    """The last state of each line, as a terminal shows it."""
    return [re.split("\r", line)[-1].rstrip() for line in text.split("\n")]


class Bar(unittest.TestCase):
    def states(self, target, values, **options):
        bar = keras.utils.Progbar(target, interval=0, **options)
        with console() as out:
            for step, value in values:
                bar.update(step, [("loss", value)])
        return out.getvalue()

    def test_first_state_has_no_backspaces(self):
        text = self.states(10, [(1, 0.5)])
        self.assertRegex(text, r"^\r 1/10 \[==>\.{27}\] - ETA: \d+s - loss: 0\.5000$")

    def test_a_state_erases_the_one_before(self):
        text = self.states(4, [(1, 0.5), (2, 0.5)])
        first, second = text[1:].split("\r")
        self.assertEqual(second.lstrip("\b")[:5], "2/4 [")
        self.assertEqual(first.count("\b"), len(first.rstrip("\b")))

    def test_the_last_state_ends_the_line(self):
        text = self.states(4, [(4, 0.5)])
        self.assertRegex(text, r"\r4/4 \[={30}\] - 0s \d+(us|ms)/step - loss: 0\.5000\n$")

    def test_means_over_steps_unless_stateful(self):
        self.assertIn("loss: 2.0000", self.states(2, [(1, 1.0), (2, 3.0)]))
        self.assertIn("loss: 3.0000", self.states(2, [(1, 1.0), (2, 3.0)], stateful_metrics=["loss"]).split("\r")[-1])

    def test_small_values_are_scientific(self):
        self.assertIn("loss: 5.0000e-04", self.states(1, [(1, 0.0005)]))
        self.assertIn("loss: 0.0011", self.states(1, [(1, 0.0011)]))

    def test_without_a_target(self):
        self.assertRegex(self.states(None, [(3, 1.0)]), r"^\r      3/Unknown - 0s \d+(us|ms)/step - loss: 1\.0000$")

    def test_verbose_2_is_one_line(self):
        self.assertRegex(self.states(4, [(1, 1.0), (4, 1.0)], verbose=2), r"^4/4 - 0s - loss: 1\.0000\n$")


class Fit(unittest.TestCase):
    def printed(self, **options):
        x, y = blobs()
        with console() as out:
            compiled().fit(x, y, batch_size=16, **options)
        return out.getvalue()

    def test_epochs(self):
        lines = final(self.printed(epochs=2))
        self.assertEqual(lines[0], "Epoch 1/2")
        self.assertRegex(lines[1], r"^6/6 \[={30}\] - \d+s \d+(us|ms|s)/step - loss: \d\.\d{4} - accuracy: \d\.\d{4}$")
        self.assertEqual(lines[2], "Epoch 2/2")
        self.assertEqual(lines[4:], [""])

    def test_one_epoch_has_no_heading(self):
        self.assertTrue(final(self.printed())[0].startswith("6/6 ["))

    def test_validation_joins_the_line(self):
        x, y = blobs()
        line = final(self.printed(validation_data=(x, y)))[0]
        self.assertRegex(line, r"loss: \S+ - accuracy: \S+ - val_loss: \S+ - val_accuracy: \S+$")

    def test_silence(self):
        self.assertEqual(self.printed(verbose=0), "")
        with console() as out:
            compiled().predict(np.zeros((4, 6)))
        self.assertEqual(out.getvalue(), "")

    def test_evaluate(self):
        with console() as out:
            loss, _ = compiled().evaluate(*blobs())
        self.assertRegex(final(out.getvalue())[0], rf"^3/3 \[={{30}}\] - \S+ \S+/step - loss: {loss:.4f} - accuracy: ")


if __name__ == "__main__":
    unittest.main()
