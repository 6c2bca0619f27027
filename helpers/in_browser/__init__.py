"""The course in a browser, where a stand-in over NumPy has the place of PyTorch, unless that is fetched.

JupyterLite runs the notebooks and Pyodide is their Python. Checks compare with PyTorch's results, recorded
when the site was built (`tools/lite/`); cells that would take minutes show what they gave then.
"""
