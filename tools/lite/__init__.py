"""The edition in the browser: JupyterLite, the learner's notebooks and PyTorch's results, recorded."""
