"""Set-up: what is decided, what is repaired, and the sentence when it cannot go on. Packages are faked."""

import itertools
import os
import re
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools import constraints, environment, install_torch
from tools.shell import ROOT, Stop, venv_python

OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",  # a port where nothing listens
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_RETRIES": "1",
}


# Which PyTorch


@pytest.mark.parametrize(
    ("platform", "backend", "offered", "uv"),
    [
        ("linux", "", False, True),
        ("linux", "", True, False),
        ("darwin", "", False, False),
        ("win32", "", False, False),
        ("linux", "cu130", True, True),
        ("win32", "cu130", False, True),
    ],
)
def test_uv_installs_where_pip_would_take_cuda_and_when_a_backend_is_named(platform, backend, offered, uv):
    assert install_torch.wants_uv(platform, backend, lambda: offered) is uv


@pytest.mark.parametrize(
    ("listing", "offered"),
    [
        ("torch (2.15.0)\nAvailable versions: 2.15.0, 2.13.0+cpu, 2.13.0, 2.12.1\n", True),
        ("torch (2.15.0)\nAvailable versions: 2.15.0, 2.13.0, 2.12.1\n", False),
        ("torch (2.12.0+cpu)\nAvailable versions: 2.12.0+cpu, 2.13.0\n", False),
        ("", False),
    ],
)
def test_only_a_cpu_build_of_the_pinned_version_counts(listing, offered):
    assert install_torch.offers_cpu(listing, "2.13.0") is offered


def fake_torch_wheel(folder, version):
    name = f"torch-{version}"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(
            f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n"
        )
        wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{name}.dist-info/RECORD", "")


@pytest.mark.parametrize(
    ("version", "offered"), [("9.9.0+cpu", True), ("9.9.0", False), ("9.9.0+cu130", False)]
)
def test_real_pip_is_asked_what_its_configuration_offers(tmp_path, monkeypatch, version, offered):
    fake_torch_wheel(tmp_path, version)
    for name, value in {**OFFLINE, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    assert install_torch.pip_offers_cpu(Path(sys.executable), "9.9.0") is offered


def test_a_fitting_torch_is_left_alone(tmp_path):
    present = install_torch.installed(Path(sys.executable))
    (tmp_path / "constraints.txt").write_text(f"torch=={present}\n")
    install_torch.install_torch(Path(sys.executable), tmp_path / "constraints.txt", pytest.fail)


def test_another_torch_is_installed_with_the_pin(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_BACKEND", "cu130")
    (tmp_path / "constraints.txt").write_text("six==1.0\ntorch==9.9.0\n")
    calls = []
    install_torch.install_torch(
        Path(sys.executable),
        tmp_path / "constraints.txt",
        lambda argv, what: calls.append(list(map(str, argv))),
    )
    assert [call[2:4] for call in calls] == [["pip", "install"], ["uv", "pip"]]
    assert "torch==9.9.0" in calls[1]
    assert "--torch-backend=cu130" in calls[1]


# When there is something to do

EVERYTHING = "JupyterLab, nbgrader, the grader and the tests"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose packages install in no time: two fake steps that note that they ran."""
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "constraints.txt").write_text("torch==9.9.0\n")
    steps = []

    def installer(root):
        return lambda argv, what: steps.append(what.partition(" (")[0])

    monkeypatch.setattr(environment, "installer", installer)
    monkeypatch.setattr(
        install_torch, "install_torch", lambda python, constraints, install: install([], "torch")
    )
    monkeypatch.setattr(environment, "make_venv", lambda root: steps.append("venv") or fake_venv(root))
    return tmp_path, steps


def fake_venv(root):
    """Put this Python in the place of a new environment's."""
    for name in (".ready", ".installing"):
        (root / ".venv" / name).unlink(missing_ok=True)
    venv_python(root).parent.mkdir(parents=True, exist_ok=True)
    venv_python(root).unlink(missing_ok=True)
    venv_python(root).symlink_to(sys.executable)


needs_symlinks = pytest.mark.skipif(os.name == "nt", reason="the fake environment is a symbolic link")


@needs_symlinks
def test_set_up_happens_once_and_again_when_its_inputs_change(repository):
    root, steps = repository
    environment.ensure(root=root)
    assert steps == ["venv", "torch", EVERYTHING]
    environment.ensure(root=root)
    assert len(steps) == 3
    (root / "constraints.txt").write_text("torch==9.9.1\n")
    environment.ensure(root=root)
    assert steps[3:] == ["torch", EVERYTHING]


@needs_symlinks
def test_a_learner_gets_no_more_than_the_notebooks_need_until_more_is_asked_for(repository, capsys):
    root, steps = repository
    environment.ensure("course", root)
    assert steps == ["venv", "torch", "JupyterLab and nbgrader"]
    environment.ensure("dev", root)
    assert steps[3:] == ["torch", EVERYTHING]
    environment.ensure("course", root)  # less is there already
    assert len(steps) == 5
    (root / "constraints.txt").write_text("torch==9.9.1\n")
    environment.ensure("course", root)  # what was there is kept up to date
    assert steps[5:] == ["torch", EVERYTHING]


@needs_symlinks
def test_the_first_set_up_says_what_how_much_and_how_long(repository, capsys):
    root, _ = repository
    environment.ensure("course", root)
    says = capsys.readouterr().out
    for part in ("PyTorch (about 200 MB to download)", "(about 100 MB)", "GB on disk", "2 to 5 minutes"):
        assert part in says
    environment.ensure("dev", root)
    assert "first start" not in capsys.readouterr().out


def test_extras_hold_each_other_as_pyproject_says():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    names = list(environment.EXTRAS)
    for smaller, larger in itertools.pairwise(names):
        assert any(re.match(rf"attention-course\[(.*,)?{smaller}(,.*)?\]$", line) for line in extras[larger])


def test_seconds_go_by_for_people_who_watch(monkeypatch, capsys):
    monkeypatch.setattr(environment.sys.stdout, "isatty", lambda: True)
    with environment.Ticker().running() as ticker:
        ticker.line = "Downloading a-large-file (190 MB)\n"
        time.sleep(1.2)
    assert "1 s  Downloading a-large-file (190 MB)" in capsys.readouterr().out


@needs_symlinks
@pytest.mark.parametrize("damage", ["killed", "no Python", "moved", "unreadable stamp"])
def test_a_broken_environment_is_repaired(repository, damage):
    root, steps = repository
    environment.ensure(root=root)
    ready = root / ".venv" / ".ready"
    if damage == "killed":
        ready.unlink()
        (root / ".venv" / ".installing").touch()
    elif damage == "no Python":
        venv_python(root).unlink()
    elif damage == "moved":
        ready.write_text(ready.read_text().replace(str(root), "/elsewhere"))
    else:
        ready.write_bytes(b"\xff\xfe")
    del steps[:]
    environment.ensure(root=root)
    assert ("venv" in steps) is (damage != "unreadable stamp")
    assert "torch" in steps
    assert environment.is_ready(root)


@needs_symlinks
def test_a_failed_step_leaves_no_stamp(repository, monkeypatch):
    root, _ = repository
    environment.ensure(root=root)
    (root / "constraints.txt").write_text("torch==9.9.1\n")

    def fail(*_):
        raise Stop("no")

    monkeypatch.setattr(install_torch, "install_torch", fail)
    with pytest.raises(Stop):
        environment.ensure(root=root)
    assert not environment.is_ready(root)
    assert environment.is_sound(root)


@pytest.mark.parametrize(
    ("script", "marked"),
    [
        ("print('ERROR: cannot download'); raise SystemExit(1)", False),
        ("print('Installing collected packages: torch'); raise SystemExit(1)", True),
        ("import os; os.kill(os.getpid(), 9)", True),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="uses a Unix signal")
def test_the_marker_stays_when_packages_may_be_half_written(tmp_path, script, marked):
    (tmp_path / ".venv").mkdir()
    with pytest.raises(Stop, match=r"Could not install it: .*setup\.log"):
        environment.installer(tmp_path)([sys.executable, "-c", script], "it")
    assert (tmp_path / ".venv" / ".installing").exists() is marked
    assert script.split("'")[1 if "'" in script else 0] in (tmp_path / "setup.log").read_text()


# What is said when it fails


def test_a_python_without_venv_gets_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(Stop, match="apt install python3-venv"):
        environment.make_venv(tmp_path)


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("WARNING: Retrying: NewConnectionError('refused')\nERROR: No matching distribution", "internet"),
        ("  cause: dns error", "internet"),
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: No matching distribution found for torch", "another Python"),
        ("ERROR: resolution-too-deep", "another Python"),
        ("noise\nERROR: Something new happened.\n", "Something new happened"),
        ("", "the log"),
    ],
)
def test_the_cause_is_named(output, sentence):
    assert sentence in environment.advice(output)


def test_without_a_network_real_pip_ends_in_one_sentence(tmp_path, monkeypatch):
    for name, value in OFFLINE.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".venv").mkdir()
    with pytest.raises(Stop) as stopped:
        environment.installer(tmp_path)([sys.executable, "-m", "pip", "install", "no-such-package"], "it")
    assert "cannot be reached" in str(stopped.value)
    assert "\n" not in str(stopped.value)
    assert "no-such-package" in (tmp_path / "setup.log").read_text()


# Pins


def test_pins_are_exact_and_without_markers_local_parts_and_cuda():
    resolved = (
        "torch==2.13.0+cpu\n# a comment\npywinpty==3.1.2 ; os_name == 'nt'\n"
        "nvidia-nccl-cu13==2.29.7 ; sys_platform == 'linux'\ntriton==3.7.1\njinja2==3.1.6\n"
    )
    lines = constraints.pins(resolved).splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "jinja2==3.1.6",
        "pywinpty==3.1.2",
        "torch==2.13.0",
    ]


def test_pins_are_made_for_the_oldest_python_that_pyproject_allows():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"{project['requires-python']}.0" == f">={constraints.OLDEST}"


def test_pinned_wants_the_very_package():
    assert install_torch.pinned("torchvision==1.0\ntorch==2.13.0\n") == "2.13.0"
    with pytest.raises(ValueError, match="does not pin torch"):
        install_torch.pinned("torchvision==1.0\n")


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment")
def test_set_up_installed_the_pinned_torch():
    wanted = install_torch.pinned((ROOT / "constraints.txt").read_text("utf-8"))
    code = "import torch; print(torch.__version__.partition('+')[0])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == wanted
