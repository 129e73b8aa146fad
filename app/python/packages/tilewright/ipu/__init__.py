"""Configuration, strategy and model options of the IPU: what tensorflow.python.ipu shows."""
