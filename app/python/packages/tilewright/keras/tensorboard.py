"""The callback that writes what a training reports for TensorBoard."""

import os

from tilewright.keras.callbacks import Callback
from tilewright.keras.schedules import LearningRateSchedule
from tilewright.missing import not_yet
from tilewright.tf import summary


class TensorBoard(Callback):
    """Writes the logs of each epoch into log_dir/train and log_dir/validation, and histograms of the weights. No graph: a report has it."""

    def __init__(self, log_dir="logs", histogram_freq=0, write_graph=True, write_images=False, write_steps_per_second=False,
                 update_freq="epoch", profile_batch=0, embeddings_freq=0, embeddings_metadata=None, **kwargs):
        super().__init__()
        for name, value in (("write_images", write_images), ("embeddings_freq", embeddings_freq)):
            if value:
                raise not_yet(f"TensorBoard({name}=…)")
        if update_freq != "epoch":
            raise not_yet(f"TensorBoard(update_freq={update_freq!r})", "\"epoch\" writes at the end of each epoch.")
        self.log_dir, self.histogram_freq, self.update_freq = os.fspath(log_dir), histogram_freq, update_freq
        self._writers = {}

    def _writer(self, part):
        if part not in self._writers:
            self._writers[part] = summary.create_file_writer(os.path.join(self.log_dir, part), filename_suffix=".v2")
        return self._writers[part]

    def on_epoch_end(self, epoch, logs=None):
        logs = dict(logs or {})
        rate = getattr(self.model.optimizer, "learning_rate", None)
        if isinstance(rate, LearningRateSchedule):
            logs.pop("lr", None)
        for part, prefix in (("train", ""), ("validation", "val_")):
            values = {name[len(prefix):]: value for name, value in logs.items() if name.startswith("val_") == bool(prefix)}
            if values:
                with self._writer(part).as_default():
                    for name, value in values.items():
                        summary.scalar(f"epoch_{name}", value, step=epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writer("train").as_default():
                for weight in self.model.weights:
                    summary.histogram(weight.name.replace(":", "_") + "/histogram", weight.numpy(), step=epoch)

    def on_train_end(self, logs=None):
        for writer in self._writers.values():
            writer.close()
        self._writers = {}
