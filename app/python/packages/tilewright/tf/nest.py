"""Nested structures: tuples, lists, dicts and named tuples of leaves."""


def is_nested(value):
    return isinstance(value, (tuple, list, dict))


def flatten(structure):
    """The leaves in order; dicts by sorted key."""
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in flatten(structure[key])]
    if isinstance(structure, (tuple, list)):
        return [leaf for part in structure for leaf in flatten(part)]
    return [structure]


def pack_sequence_as(structure, leaves):
    """`structure` with other leaves."""
    iterator = iter(leaves)
    packed = _pack(structure, iterator)
    if next(iterator, iterator) is not iterator:
        raise ValueError("There are more values than the structure has leaves.")
    return packed


def _pack(structure, leaves):
    if isinstance(structure, dict):
        packed = {key: _pack(structure[key], leaves) for key in sorted(structure)}
        return type(structure)((key, packed[key]) for key in structure)
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(_pack(part, leaves) for part in structure))
    if isinstance(structure, (tuple, list)):
        return type(structure)(_pack(part, leaves) for part in structure)
    try:
        return next(leaves)
    except StopIteration:
        raise ValueError("There are fewer values than the structure has leaves.") from None


def map_structure(function, *structures):
    """`function` over the leaves of structures of one form."""
    for structure in structures[1:]:
        assert_same_structure(structures[0], structure)
    return pack_sequence_as(structures[0], [function(*leaves) for leaves in zip(*map(flatten, structures))])


def assert_same_structure(left, right):
    if is_nested(left) != is_nested(right) or (is_nested(left) and (
            isinstance(left, dict) != isinstance(right, dict) or len(left) != len(right))):
        raise ValueError(f"The structures differ: {left!r} and {right!r}.")
    if isinstance(left, dict):
        if set(left) != set(right):
            raise ValueError(f"The keys differ: {sorted(left)} and {sorted(right)}.")
        for key in left:
            assert_same_structure(left[key], right[key])
    elif is_nested(left):
        for a, b in zip(left, right):
            assert_same_structure(a, b)
