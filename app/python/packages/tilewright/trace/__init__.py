"""Functions of a script as programs of the device: tf.function, its loops and branches, gradients and queues.

`graph` holds the function that is being traced, `tensor` its symbolic values, `lowering` what each operation becomes in the
engine's graph, `autograph` how Python's statements become loops and branches, `function` when a function is traced and how
its program runs, `tape` gradients.
"""
