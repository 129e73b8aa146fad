"""compile, fit, evaluate and predict: a model and its data become a project, which the engine runs."""
