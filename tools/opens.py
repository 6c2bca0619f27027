"""Where a unit's notebook opens without an installation."""

from urllib.parse import urlparse


def site(repository: str) -> str:
    """Where GitHub puts the site of a repository."""
    owner, name = urlparse(repository).path.strip("/").split("/")
    return f"https://{owner}.github.io/{name}/"


def in_browser(site: str, unit: str) -> str:
    """The address of a unit's page, whose cells run in the reader's own browser.

    Args:
        site: the site's address.
        unit: the unit.
    """
    return f"{site}notebooks/{unit}/{unit}.html"


def on_binder(repository: str, unit: str) -> str:
    """Binder's address of a unit of a repository such as `somebody/a-course`, with all units listed."""
    notebook = f"notebooks/{unit}/{unit}.ipynb%3Ffile-browser-path%3D/notebooks"
    return f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/{notebook}"


def in_colab(repository: str, unit: str) -> str:
    """Colab's address of the same."""
    return f"https://colab.research.google.com/github/{repository}/blob/main/notebooks/{unit}/{unit}.ipynb"
