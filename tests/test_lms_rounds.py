"""Rounds of a made-up term: uploads good and bad, files put in by hand, groups, old zips given once more.

What lies in `submitted/` after each round, and when it came, is compared with a truth kept beside.
"""

import datetime
import random
import shutil

import pytest

from grading import submission
from grading.lms import collect, roster
from grading.term import collected, groups
from tests import lms_files
from tests.lms_files import UNIT, make_zip, notebook

pytestmark = pytest.mark.needs("sandbox")

IDS = [f"s{number:02}" for number in range(16)]
NUMBERS = {name: str(9000 + place) for place, name in enumerate(IDS)}
GROUPS = {UNIT: {"team": ("s00", "s01", "s02"), "pair": ("s03", "s04")}}
COLUMNS = ["Identifier", "Full name", "Username", "Status", "Grade", "Last modified (submission)"]
KINDS = {
    "good": lambda text: {"my.ipynb": notebook(text)},
    "named": lambda text: {f"{UNIT}.ipynb": notebook(text), "try.ipynb": notebook("other")},
    "two": lambda text: {"a.ipynb": notebook("not this"), "b.ipynb": notebook(text)},
    "pdf": lambda text: {"work.pdf": text},
}


def taken(course, folder, number, uploads):
    """Collect what Moodle has of everybody, each time of it in the worksheet."""
    if uploads:
        files, rows = {}, [[*COLUMNS, "Last modified (grade)"]]
        for name in IDS:
            made, when = uploads.get(name, ({}, None))
            prefix = f"First Last{name}_{NUMBERS[name]}_assignsubmission_file"
            files |= {f"{prefix}/{file}": data for file, data in made.items()}
            time = f"{when:%A, %d %B %Y, %I:%M %p}" if when else "-"
            rows.append([f"Participant {NUMBERS[name]}", f"First Last{name}", name, "", "", time, "-"])
        make_zip(folder / f"{number}.zip", files)
        (folder / f"{number}.csv").write_bytes(lms_files.table(rows))
    return collect.collect(course, UNIT, [folder / f"{number}.zip"], folder / f"{number}.csv", "UTC")


def put(course, student, text, over):
    place = course / "submitted" / student / UNIT
    if not over:
        shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{UNIT}.ipynb").write_text(notebook(text))


def there(course):
    """Whose notebook lies where, and when it came."""
    found = {}
    for place in course.glob(f"submitted/*/{UNIT}"):
        found[place.parent.name] = ((place / f"{UNIT}.ipynb").read_text(), collected.time_of(place))
    return found


def with_groups(own):
    """Everybody's own, and for who has none the newest of their group."""
    found = dict(own)
    for ids in GROUPS[UNIT].values():
        newest = max((own[one] for one in ids if one in own), key=lambda one: one[1], default=None)
        found |= {one: newest for one in ids if one not in own and newest}
    return {name: (notebook(text), f"{when:%Y-%m-%d %H:%M:%S} UTC") for name, (text, when) in found.items()}


@pytest.mark.parametrize("seed", [7, 12, 21, 29, 30, 31])
def test_what_counts_and_when_it_came_is_what_a_truth_beside_says(tmp_path, templates, seed):
    dice = random.Random(seed)
    course = lms_files.course(tmp_path / "course", templates)
    rows = [["First name", "Last name", "Username"], *(["First", f"Last{name}", name] for name in IDS)]
    (tmp_path / "list.csv").write_bytes(lms_files.table(rows))
    roster.into(course, submission.settings(course), tmp_path / "list.csv")
    lines = [f"{name} = {list(ids)}" for name, ids in GROUPS[UNIT].items()]
    (course / "term.toml").write_text("\n".join([f"[groups.{UNIT}]", *lines]))
    now, uploads, own, skipped = datetime.datetime(2026, 11, 1), {}, {}, {}
    for number in range(5):
        for name in IDS:
            if dice.random() < 0.4 or not number:
                now += datetime.timedelta(hours=dice.randint(1, 9))
                kind, text = dice.choice([*KINDS, "good"]), f"{name} in round {number}"
                uploads[name] = (KINDS[kind](text), now)
                skipped.pop(name, None)
                if kind in ("two", "pdf"):
                    skipped[name] = (text, now, kind)
                else:
                    own[name] = (text, now)
        assert set(taken(course, tmp_path, number, uploads).skipped) == set(skipped)
        for name in [name for name in skipped if dice.random() < 0.6]:
            text, when, kind = skipped.pop(name)
            put(course, name, text, over=kind == "two" and dice.random() < 0.5)
            own[name] = (text, when)
        collected.write_times(course, course / "submitted")  # as grading does
        groups.share(course, UNIT, GROUPS, course / "submitted")
        if dice.random() < 0.5:
            taken(course, tmp_path, dice.randint(0, number), {})
        assert there(course) == with_groups(own)
