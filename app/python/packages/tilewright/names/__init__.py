"""The public names, such as tensorflow.keras.layers, as views of one implementation.

The implementation lies in tilewright.tf, tilewright.keras and tilewright.ipu. Three tables say which public module shows
which of its names (TABLES), and one list says which paths are the same module (SAME). `install` makes them importable. A
module loads what a name stands for when the name is used first, so that `import tensorflow` is quick.
"""

from tilewright.names.finder import install
from tilewright.names.tree import canonical, lookup, Missing

__all__ = ["install", "canonical", "lookup", "Missing"]
