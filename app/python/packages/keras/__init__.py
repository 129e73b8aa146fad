"""Tilewright's own 'keras': the part of it that IPU scripts use. Its names are listed in tilewright.names."""

tilewright_entrance = True

from tilewright.names import install  # noqa: E402

install()
