"""How Sphinx builds the site; `make site` gathers the pages first (`tools/build_site.py`)."""

import tomllib
from pathlib import Path

from tools import opens

HERE = Path(__file__).resolve().parent
_PYPROJECT = next(
    place / "pyproject.toml" for place in (HERE, *HERE.parents) if (place / "pyproject.toml").is_file()
)
_REPOSITORY = tomllib.loads(_PYPROJECT.read_text("utf-8"))["project"]["urls"]["Repository"]

project = "Attention, step by step"
author = "The attention course authors"
copyright = "the attention course authors; prose and figures CC BY 4.0, code BSD 3-Clause"
language = "en"

extensions = ["myst_nb", "tools.web.extension"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"  # a cached output would not notice a change in helpers/
nb_execution_excludepatterns = ["notebooks/*/*"]  # the units are executed before: tools/web/execution.py
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
templates_path = ["_templates"]
html_sidebars = {"index": []}  # course-bar.html stands in for it
html_css_files = ["course.css", "landing.css"]
html_js_files = ["menus.js", ("course.js", {"defer": "defer"})]
html_copy_source = False
html_search_scorer = str(HERE / "search.js")
html_math_renderer = "katex"  # set when the site is built: tools/web/formulas.py
html_favicon = "_static/favicon.svg"
html_baseurl = opens.site(_REPOSITORY)
html_context = {"default_mode": "auto"}  # light or dark as the system has it
html_theme_options = {
    "repository_url": _REPOSITORY,
    "repository_branch": "main",
    "path_to_docs": "",  # the pages of the units lie where the learners' notebooks lie in the repository
    "use_repository_button": True,
    "use_issues_button": True,
    "article_header_start": ["toggle-primary-sidebar.html", "course-bar.html"],
    "navbar_persistent": [],  # the side bar has the search already
    "use_download_button": False,  # it would offer notebooks with the answers
    "launch_buttons": {
        "binderhub_url": "https://mybinder.org",
        "colab_url": "https://colab.research.google.com",
        "notebook_interface": "jupyterlab",
    },
}
