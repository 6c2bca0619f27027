"""Python for the site's pages: Pyodide, the helpers, PyTorch's recorded results, and their worker."""
