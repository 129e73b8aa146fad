"""Keras models, layers and training: what the public modules keras and tensorflow.keras show."""
