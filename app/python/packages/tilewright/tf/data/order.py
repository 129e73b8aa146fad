"""Transformations that choose and order elements."""

import itertools

import numpy as np

from tilewright.missing import not_yet
from tilewright.tf.data.dataset import INFINITE, UNKNOWN, Dataset


class Ordered(Dataset):
    """Elements of another data set, in another order or number. Chooses rows if its source does."""

    def __init__(self, source):
        self._source = source
        self.rows = source.rows

    element_spec = property(lambda self: self._source.element_spec)

    def _length(self):
        return self._source._length()

    def _elements(self):
        if self.rows is not None:
            return super()._elements()
        return self._pass(self._source._elements)

    def _pass(self, elements):
        """The elements of one iteration. `elements` starts an iteration of the source."""
        return elements()


class PrefetchDataset(Ordered):
    """The same elements: the host reads ahead by itself."""

    def _chunks(self):
        return self._source._chunks()


class OptionsDataset(PrefetchDataset):
    """The same elements with options."""


class CacheDataset(Ordered):
    """Keeps the elements of the first complete pass in memory."""

    def __init__(self, source, filename):
        if filename:
            raise not_yet("Dataset.cache with a file", "cache() keeps the elements in memory.")
        super().__init__(source)
        self._kept = None

    def _remember(self, source):
        kept = []
        for part in source:
            kept.append(part)
            yield part
        self._kept = kept

    def _chunks(self):
        return iter(self._kept) if self._kept is not None else self._remember(self._source._chunks())

    def _pass(self, elements):
        return iter(self._kept) if self._kept is not None else self._remember(elements())


class RepeatDataset(Ordered):
    """The source `count` times; endless for -1."""

    def __init__(self, source, count):
        super().__init__(source)
        self._count = count

    def _length(self):
        length = self._source._length()
        if self._count == 0 or length == 0:
            return 0
        if self._count < 0:
            return INFINITE
        return length * self._count if length >= 0 else length

    def _again(self, begin):
        times = itertools.count() if self._count < 0 else range(self._count)
        for _ in times:
            empty = True
            for part in begin():
                empty = False
                yield part
            if empty:
                return

    def _chunks(self):
        return self._again(self._source._chunks)

    def _pass(self, elements):
        return self._again(elements)


class TakeDataset(Ordered):
    """The first `count` elements; all for -1."""

    def __init__(self, source, count):
        super().__init__(source)
        self._count = count

    def _length(self):
        length = self._source._length()
        if self._count < 0 or length == UNKNOWN:
            return length
        return self._count if length == INFINITE else min(length, self._count)

    def _chunks(self):
        left = self._count
        if left < 0:
            yield from self._source._chunks()
            return
        for chunk in self._source._chunks() if left else ():
            yield chunk[:left]
            left -= len(chunk[:left])
            if left == 0:
                return

    def _pass(self, elements):
        return elements() if self._count < 0 else itertools.islice(elements(), self._count)


class SkipDataset(Ordered):
    """Without the first `count` elements; none for -1."""

    def __init__(self, source, count):
        super().__init__(source)
        self._count = count

    def _length(self):
        length = self._source._length()
        if self._count < 0:
            return 0
        return length if length < 0 else max(0, length - self._count)

    def _chunks(self):
        skip = self._count
        for chunk in self._source._chunks() if skip >= 0 else ():
            if skip < len(chunk):
                yield chunk[skip:]
            skip = max(0, skip - len(chunk))

    def _pass(self, elements):
        return iter(()) if self._count < 0 else itertools.islice(elements(), self._count, None)


class ShardDataset(Ordered):
    """Each element whose number is `index` modulo `num_shards`."""

    def __init__(self, source, num_shards, index):
        if num_shards < 1:
            raise ValueError(f"shard: num_shards is {num_shards}; it must be 1 or more.")
        if not 0 <= index < num_shards:
            raise ValueError(f"shard: index is {index}; it must be from 0 to {num_shards - 1}.")
        super().__init__(source)
        self._num, self._index = num_shards, index

    def _length(self):
        length = self._source._length()
        return length if length < 0 else len(range(self._index, length, self._num))

    def _chunks(self):
        passed = 0
        for chunk in self._source._chunks():
            yield chunk[(self._index - passed) % self._num::self._num]
            passed += len(chunk)

    def _pass(self, elements):
        return itertools.islice(elements(), self._index, None, self._num)


class ShuffleDataset(Ordered):
    """A uniform choice from a buffer of elements.

    With a buffer that holds the whole source the order is that of the engine's own shuffle, so that a fit over the data set
    equals the training of the same project.
    """

    def __init__(self, source, buffer_size, seed, reshuffle):
        if buffer_size < 1:
            raise ValueError(f"shuffle: buffer_size is {buffer_size}; it must be 1 or more.")
        super().__init__(source)
        self._buffer, self._seed, self._reshuffle = buffer_size, seed, reshuffle
        self._iterations = 0

    def _next_epoch(self):
        epoch = self._iterations if self._reshuffle else 0
        self._iterations += 1
        return epoch

    def _base_seed(self):
        from tilewright.tf.random import global_seed

        for seed in (self._seed, global_seed()):
            if seed is not None:
                return int(seed)
        return 42  # training.seed of a project

    def _chunks(self):
        epoch = self._next_epoch()
        length = self._source._length()
        if 0 <= length <= self._buffer:
            import _tilewright

            numbers = [chunk for chunk in self._source._chunks()]
            numbers = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
            yield numbers[_tilewright.epoch_order(len(numbers), self._base_seed(), epoch)]
            return
        numbers = (number for chunk in self._source._chunks() for number in chunk.tolist())
        source = self._choose(numbers, epoch)
        while True:
            chunk = list(itertools.islice(source, 4096))
            if not chunk:
                return
            yield np.array(chunk)

    def _pass(self, elements):
        return self._choose(elements(), self._next_epoch())

    def _choose(self, source, epoch):
        generator = np.random.Generator(np.random.Philox(np.random.SeedSequence([self._base_seed() & (2**63 - 1), epoch])))
        buffer = list(itertools.islice(source, self._buffer))
        draws = iter(())
        for following in source:
            place = next(draws, None)
            if place is None:
                draws = iter(generator.integers(0, len(buffer), 4096).tolist())
                place = next(draws)
            chosen, buffer[place] = buffer[place], following
            yield chosen
        for place in generator.permutation(len(buffer)).tolist():
            yield buffer[place]
