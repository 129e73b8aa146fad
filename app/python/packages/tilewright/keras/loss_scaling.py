"""Automatic loss scaling around another optimizer, and the layers whose gradients it may watch."""

from tilewright.keras.layers.base import Layer
from tilewright.keras.optimizers import Optimizer, get
from tilewright.missing import not_yet
from tilewright.tf.log import warn_once
from tilewright.trace.context import current
from tilewright.trace.loss_scaling import apply, scaled, state_of, unscaled


class ALSOptimizer(Optimizer):
    """An optimizer whose loss scale the device adapts. The engine has it as arguments of the inner optimizer."""

    def __init__(self, opt, initial_loss_scaling_factor=1, update_frequency=8, increase_factor=2, max_loss_scaling_factor=32768,
                 accumulate_statistics_over_update_period=True, ratio_threshold=1e-5, captured_grads_only=False, lpf_alpha=0.0,
                 histogram_bin_edge=2**13, replicas_have_same_statistics=False, name="ALSOptimizer"):
        if captured_grads_only:
            raise not_yet("ALSOptimizer(captured_grads_only=True)")
        for what, value in (("initial_loss_scaling_factor", initial_loss_scaling_factor), ("increase_factor", increase_factor),
                            ("max_loss_scaling_factor", max_loss_scaling_factor)):
            if value < 1 or int(value) != value or int(value) & (int(value) - 1):
                raise ValueError(f"ALSOptimizer: {what} is {value}; it must be a power of two.")
        if update_frequency < 1:
            raise ValueError(f"ALSOptimizer: update_frequency is {update_frequency}; it must be 1 or more.")
        super().__init__()
        self._given = {"name": name}
        self._inner = get(opt)
        self.__dict__["_rate"] = self._inner._rate
        self._scaling = {
            "automatic_loss_scaling": True, "loss_scale_factor": float(initial_loss_scaling_factor),
            "update_frequency": int(update_frequency), "increase_factor": float(increase_factor),
            "max_loss_scaling_factor": float(max_loss_scaling_factor),
            "accumulate_statistics_over_update_period": bool(accumulate_statistics_over_update_period),
            "ratio_threshold": float(ratio_threshold), "lpf_alpha": float(lpf_alpha), "histogram_bin_edge": float(histogram_bin_edge)}

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name == "live" and "_inner" in self.__dict__:
            self._inner.live = value  # its rate is that of this optimizer

    # In a script's own loop -----------------------------------------------------------------------------------------------

    @property
    def loss_scaling_factor(self):
        """The scale, as a variable that the device adapts."""
        return state_of(self)["scale"]

    def get_scaled_loss(self, loss):
        return scaled(self, loss)

    def get_unscaled_gradients(self, grads):
        return unscaled(self, grads)

    def get_gradients(self, loss, params):
        """Gradients of the scaled loss, as apply_gradients takes them."""
        return super().get_gradients(scaled(self, loss), params)

    def apply_gradients(self, grads_and_vars, name=None, experimental_aggregate_gradients=True):
        """Updates the variables from gradients of the scaled loss; inside a tf.function."""
        if current() is None:
            raise not_yet("ALSOptimizer.apply_gradients outside of a tf.function", "Model.fit trains as well.")
        return apply(self, grads_and_vars)

    def get_config(self):
        return {"name": self._given["name"], "opt": self._inner.get_config(), **self._scaling}

    def keras_json(self):
        inner = self._inner.keras_json()
        return {"class_name": inner["class_name"], "config": {**inner["config"], **self._scaling}}


class CaptureActivationGradients(Layer):
    """A layer whose output's gradient counts in the statistics of ALSOptimizer.

    The engine counts the gradients of the weights, in all layers: what is captured here is not counted in addition.
    """

    def __init__(self, layer, **kwargs):
        super().__init__(**kwargs)
        warn_once("CaptureActivationGradients: the loss scale follows the gradients of the weights; gradients of activations are not "
                  "counted yet.")
        self.layer = layer

    def call(self, inputs, training=None):
        return self.layer(inputs, training=training)


class CaptureUpstreamGradients(CaptureActivationGradients):
    """As CaptureActivationGradients, for any layer."""
