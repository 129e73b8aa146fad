"""Tensors, variables, operations and data sets: what the public module tensorflow shows."""
