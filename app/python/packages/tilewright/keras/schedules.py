"""Learning-rate schedules, which the device computes from the count of updates."""

from tilewright.keras.configured import Configured, family
from tilewright.missing import not_yet


class LearningRateSchedule(Configured):
    """A rate that changes with the updates."""

    def __call__(self, step):
        raise not_yet(f"calling the schedule {type(self).__name__}", "An optimizer may have it as its learning rate.")

    def keras_json(self):
        if type(self).__name__ not in CLASSES:
            raise not_yet(f"the script's own schedule {type(self).__name__}")
        return super().keras_json()


CLASSES = family(__name__, LearningRateSchedule, {
    "ExponentialDecay": "initial_learning_rate decay_steps decay_rate staircase name",
    "InverseTimeDecay": "initial_learning_rate decay_steps decay_rate staircase name",
    "PolynomialDecay": "initial_learning_rate decay_steps end_learning_rate power cycle name",
    "CosineDecay": "initial_learning_rate decay_steps alpha name",
    "CosineDecayRestarts": "initial_learning_rate first_decay_steps t_mul m_mul alpha name",
    "PiecewiseConstantDecay": "boundaries values name",
})
globals().update(CLASSES)
