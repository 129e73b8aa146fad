"""AutoGraph: Python's statements over tensors, against the same functions run by Python."""

import unittest

import numpy as np
import support  # noqa: F401

import tensorflow as tf


def doubled(x):
    n = 0
    while tf.reduce_sum(x) < 100.0:
        x = x * 2.0
        n += 1
    return x, n


def sign(x):
    if x > 0.0:
        y = 1.0
    elif x < 0.0:
        y = -1.0
    else:
        y = 0.0
    return y


def early(x):
    if x > 2.0:
        return x * 10.0
    x = x + 1.0
    if x > 2.0:
        return x * 100.0
    return x


def summed(x):
    s = 0.0
    for i in tf.range(5):
        s = s + x * tf.cast(i, tf.float32)
    return s


def broken(x):
    s = 0.0
    for i in tf.range(10):
        if i == 4:
            break
        s = s + x
    return s


def skipped(x):
    s = 0.0
    for i in tf.range(6):
        if i % 2 == 1:
            continue
        s = s + x
    return s


def nested(x):
    s = 0.0
    for i in tf.range(3):
        for j in tf.range(2, 8, 3):
            if j > 4:
                s = s + x
            else:
                s = s - tf.cast(i, tf.float32)
    return s


def rows(m):
    s = tf.zeros([2])
    for row in m:
        s = s + row * 2.0
    return s


def choice(x):
    return x * 2.0 if x > 1.0 and x < 3.0 else -x


def either(x):
    y = x
    if x < 0.0 or not x < 10.0:
        y = tf.zeros_like(x)
    return y


def unrolled(x):
    parts = []
    for factor in [1.0, 2.0, 3.0]:
        parts.append(x * factor)
    return tf.stack(parts)


def helper(x):
    if x > 5.0:
        return x
    return x + 5.0


def calls(x):
    return helper(x) + helper(x + 4.0)


def closed_over(x):
    total = tf.constant(0.0)

    def add(value):
        nonlocal total
        total = total + value

    for _ in tf.range(3):
        pass
    add(x)
    add(x)
    return total


def ended_by_a_flag(x):
    done = tf.constant(False)
    n = 0
    while not done:
        x = x / 2.0
        n += 1
        done = x < 1.0
    return n


SCALARS = [-3.0, 0.0, 0.5, 1.5, 2.5, 7.0, 12.0]
CASES = [(sign, SCALARS), (early, SCALARS), (summed, SCALARS), (broken, SCALARS), (skipped, SCALARS), (nested, SCALARS), (choice, SCALARS),
         (either, SCALARS), (unrolled, SCALARS), (calls, SCALARS), (closed_over, SCALARS), (ended_by_a_flag, [1.5, 3.0, 100.0]),
         (doubled, [[1.0, 2.0], [60.0, 70.0], [0.1, 0.1]]), (rows, [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]])]


class Statements(unittest.TestCase):
    def test_they_compute_what_python_computes(self):
        for function, inputs in CASES:
            converted = tf.function(function, jit_compile=True)
            for value in inputs:
                with self.subTest(function.__name__, value=value):
                    x = tf.constant(value)
                    wanted, found = function(x), converted(x)
                    for a, b in zip(wanted if isinstance(wanted, tuple) else [wanted], found if isinstance(found, tuple) else [found]):
                        np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=1e-6)
            self.assertEqual(len(converted._concrete), len({np.shape(value) for value in inputs}), function.__name__)


class Refusals(unittest.TestCase):
    """Errors name the file, the line and the variable."""

    def refused(self, kind, pattern, function, *arguments):
        with self.assertRaisesRegex(kind, pattern):
            tf.function(function, jit_compile=True)(*arguments)

    def test_another_type_after_a_pass(self):
        def grows(x):
            n = 0
            for _ in tf.range(3):
                n = n + 1.5
            return x * n

        self.refused(TypeError, "float|int32", grows, tf.constant(1.0))

    def test_another_shape_after_a_pass(self):
        def grows(x):
            for _ in tf.range(3):
                x = tf.concat([x, x], 0)
            return x

        self.refused(ValueError, r"test_autograph.py, line \d+: 'x'", grows, tf.constant([1.0]))

    def test_another_type_in_a_branch(self):
        def differs(x):
            if x > 0.0:
                y = 1
            else:
                y = 2.5
            return y

        self.refused(TypeError, r"line \d+: 'y'", differs, tf.constant(1.0))

    def test_a_name_without_a_value(self):
        def lacks(x):
            if x > 0.0:
                y = x
            return y

        self.refused(UnboundLocalError, "'y'", lambda x: lacks(x) if False else tf.function(lacks, jit_compile=True)(x) + 1.0, tf.constant(1.0))

    def test_a_condition_of_numbers(self):
        def numbers(x):
            while x:
                x = x - 1.0
            return x

        self.refused(ValueError, "bool", numbers, tf.constant(1.0))

    def test_a_python_condition_that_becomes_a_tensor(self):
        def becomes(x):
            done = False
            while not done:
                done = x < 1.0
            return x

        self.refused(TypeError, "tf.cond|AutoGraph", becomes, tf.constant(1.0))

    def test_a_return_inside_a_loop(self):
        def returns(x):
            for _ in tf.range(3):
                return x
            return x

        self.refused(NotImplementedError, r"test_autograph.py, line \d+", returns, tf.constant(1.0))


if __name__ == "__main__":
    unittest.main()
