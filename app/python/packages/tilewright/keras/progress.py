"""The progress bar of the console, as Keras writes it."""

import sys
import time

import numpy as np

#: Seconds between two states of the bar.
_INTERVAL = 0.05
_WIDTH = 30


class Progbar:
    """One line that is written again and again: steps, a bar, the time, and the newest values."""

    def __init__(self, target, width=_WIDTH, verbose=1, interval=_INTERVAL, stateful_metrics=None, unit_name="step"):
        self.target, self.width, self.verbose, self.interval, self.unit_name = target, width, verbose, interval, unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        self._written = 0        # characters on the line
        self._seen = 0
        self._sums = {}          # name -> [sum, weight], in the order of their first values
        self._start = time.time()
        self._last = 0
        self._after_first = None

    def update(self, current, values=None, finalize=None):
        """Shows `current` steps and (name, value) pairs: means over steps, except of stateful metrics."""
        if finalize is None:
            finalize = self.target is not None and current >= self.target
        for name, value in values or ():
            if name in self.stateful_metrics:
                self._sums[name] = [value, 1]
            else:
                weight = max(current - self._seen, 1)
                before = self._sums.get(name, [0, 0])
                self._sums[name] = [before[0] + value * weight, before[1] + weight]
        self._seen = current
        now = time.time()
        if self.verbose == 1:
            if now - self._last < self.interval and not finalize:
                return
            self._redraw(current, now, finalize)
        elif self.verbose == 2 and finalize:
            self._write(f"{self._count(current)} - {now - self._start:.0f}s{self._values(signed=False)}\n")
        self._last = now

    def add(self, n, values=None):
        self.update(self._seen + n, values)

    def _redraw(self, current, now, finalize):
        before = self._written
        bar = self._bar(current)
        text = self._time(current, now, finalize) + self._values(signed=True)
        self._written = len(bar) + len(text)
        padding = " " * max(0, before - self._written)
        self._write("\b" * before + "\r" + bar + text + padding + ("\n" if finalize else ""))

    @staticmethod
    def _write(text):
        sys.stdout.write(text)
        sys.stdout.flush()

    def _count(self, current):
        return f"{current:{int(np.log10(self.target)) + 1}d}/{self.target}"

    def _bar(self, current):
        if self.target is None:
            return f"{current:7d}/Unknown"
        filled = int(self.width * (float(current) / self.target))
        bar = "=" * (filled - 1) + (">" if current < self.target else "=") if filled > 0 else ""
        return f"{self._count(current)} [{bar}{'.' * (self.width - filled)}]"

    def _time(self, current, now, finalize):
        each = self._step_seconds(current, now)
        if self.target is not None and not finalize:
            return f" - ETA: {_clock(each * (self.target - current))}"
        if each >= 1 or each == 0:
            rate = f"{each:.0f}s"
        elif each >= 1e-3:
            rate = f"{each * 1e3:.0f}ms"
        else:
            rate = f"{each * 1e6:.0f}us"
        return f" - {now - self._start:.0f}s {rate}/{self.unit_name}"

    def _step_seconds(self, current, now):
        """Seconds of a step. The first one, which compiles, is left out if it was seen alone."""
        if not current:
            return 0
        if self._after_first is not None and current > 1:
            seconds = (now - self._after_first) / (current - 1)
        else:
            seconds = (now - self._start) / current
        if current == 1:
            self._after_first = now
        return seconds

    def _values(self, signed):
        text = ""
        for name, (total, weight) in self._sums.items():
            mean = np.mean(total / max(1, weight))
            large = abs(mean) > 1e-3 if signed else mean > 1e-3
            text += f" - {name}: {mean:.4f}" if large else f" - {name}: {mean:.4e}"
        return text


def _clock(seconds):
    if seconds > 3600:
        return "%d:%02d:%02d" % (seconds // 3600, (seconds % 3600) // 60, seconds % 60)
    if seconds > 60:
        return "%d:%02d" % (seconds // 60, seconds % 60)
    return "%ds" % seconds
