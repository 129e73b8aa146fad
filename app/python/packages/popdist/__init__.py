"""Tilewright's own 'popdist': what a script learns of its processes. Its names are listed in tilewright.names."""

tilewright_entrance = True

from tilewright.names import install  # noqa: E402

install()
