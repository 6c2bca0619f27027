"""The course in a browser, where there is Python and NumPy but no PyTorch.

JupyterLite runs the notebooks and Pyodide is their Python. Checks compare with PyTorch's results, recorded
when the site was built (`tools/lite/`); what needs PyTorch itself shows what it gave then.
"""
