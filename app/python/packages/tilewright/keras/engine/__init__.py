"""The graph of layers: symbolic tensors, calls of layers, and what the engine says of them."""
