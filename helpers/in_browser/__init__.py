"""The course in a browser, where Pyodide is Python and a stand-in over NumPy has the place of PyTorch.

Checks compare with PyTorch's results, recorded when the site was built (`tools/in_browser/`).
"""
