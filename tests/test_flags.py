"""Code that no answer needs is seen, whatever stands beside it."""

import pytest

from grading.handed_in import flags

pytestmark = pytest.mark.needs("sandbox")


@pytest.mark.parametrize(
    "source",
    [
        'import os\nprint("n =%d" % 1)\nos.system("ls")',
        'import os\nprint("""\n%time""")\nos.system("ls")'.replace('"""\n%time"""', '"%time"'),
        'import os\n%time\nos.system("ls")',
        'import os\nx = !ls\nos.system("ls")',
    ],
)
def test_magic_and_what_looks_like_it_hide_nothing(source):
    assert flags.suspicious(source) == ("`os.system` (line 3)",)
