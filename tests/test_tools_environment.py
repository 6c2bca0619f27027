"""Set-up: what is decided, what is repaired, and the sentence when it cannot go on. Packages are faked."""

import itertools
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools import constraints, environment, packages
from tools.patience import until
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
    ("platform", "wanted", "offered", "option"),
    [
        ("linux", "", False, "--torch-backend=cpu"),
        ("linux", "", True, ""),
        ("darwin", "", False, ""),
        ("win32", "", False, ""),
        ("linux", "cu130", True, "--torch-backend=cu130"),
        ("win32", "cu130", False, "--torch-backend=cu130"),
    ],
)
def test_pytorch_s_own_index_is_asked_where_others_have_cuda_and_when_a_backend_is_named(
    platform, wanted, offered, option
):
    assert packages.torch_backend(platform, wanted, lambda: offered) == option


def test_only_a_cpu_build_of_the_pinned_version_counts():
    assert packages.offers_cpu("torch (2.15.0)\nAvailable versions: 2.15.0, 2.13.0+cpu, 2.13.0\n", "2.13.0")
    assert not packages.offers_cpu("torch (2.12.0+cpu)\nAvailable versions: 2.12.0+cpu, 2.13.0\n", "2.13.0")


def fake_torch_wheel(folder, version):
    name = f"torch-{version}"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(
            f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n"
        )
        wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr(f"{name}.dist-info/RECORD", "")


@pytest.mark.slow
def test_real_pip_says_what_its_configuration_offers_and_real_uv_finds_it(tmp_path, monkeypatch):
    fake_torch_wheel(tmp_path, "9.9.0+cpu")
    for name, value in {**OFFLINE, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    assert packages.pip_offers_cpu(Path(sys.executable), "9.9.0")
    settings = packages.pip_settings(Path(sys.executable))
    told = packages.uv_environment(settings, os.environ)
    command = [sys.executable, "-m", "uv", "pip", "install", *packages.uv_options(settings)]
    command += ["--dry-run", "--target", tmp_path / "x", "torch==9.9.0"]
    done = subprocess.run(command, env={**os.environ, **told}, capture_output=True, text=True)
    assert "+ torch==9.9.0+cpu" in done.stderr


@pytest.fixture
def filled(tmp_path, monkeypatch):
    """The commands that fill an environment, as words; pip is told something here."""
    monkeypatch.setattr(packages, "pip_settings", lambda _: "global.no-index='1'\nglobal.cert='/c.pem'\n")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)

    def fill(constraints):
        (tmp_path / "constraints.txt").write_text(constraints)
        calls = []

        def install(argv, what, environ):
            calls.append((list(map(str, argv)), environ))

        packages.fill(Path(sys.executable), tmp_path / "constraints.txt", "here[course]", "it", install)
        (pip, nothing), *uv = calls
        assert pip[2:4] == ["pip", "install"]
        assert nothing == {}
        for words, environ in uv:
            assert words[2:4] == ["uv", "pip"]
            assert "--no-index" in words
            assert environ["SSL_CERT_FILE"] == "/c.pem"
        return [pip, *(words for words, _ in uv)]

    return fill


def test_a_fitting_torch_is_left_alone(filled, monkeypatch):
    fitting = f"torch=={packages.installed(Path(sys.executable))}\n"
    for forbidden in (True, False):  # where Python writes no bytecode, it is made at once
        monkeypatch.setattr(sys, "dont_write_bytecode", forbidden)
        pip, uv = filled(fitting)
        assert uv[-2:] == ["-e", "here[course]"]
        assert "--compile-bytecode" not in pip
        assert ("--compile-bytecode" in uv) is forbidden


def test_another_torch_is_installed_with_the_pin(filled, monkeypatch):
    monkeypatch.setenv("TORCH_BACKEND", "cu130")
    _, torch, course = filled("six==1.0\ntorch==9.9.0\n")
    assert torch[-2:] == ["--torch-backend=cu130", "torch==9.9.0"]
    assert course[-1] == "here[course]"


# What pip is told, uv is told


def test_uv_is_told_what_real_pip_is_told(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://one/simple\nextra-index-url =\n  https://two/simple\n  https://three/simple\n"
        "[install]\nfind-links = /packages /more\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_INDEX_URL", "https://stronger/simple")
    told = packages.uv_environment(packages.pip_settings(Path(sys.executable)), {})
    assert told["UV_DEFAULT_INDEX"] == "https://stronger/simple"
    assert told["UV_INDEX"] == "https://two/simple https://three/simple"
    assert told["UV_FIND_LINKS"] == "/packages,/more"
    assert told["UV_INDEX_STRATEGY"] == "unsafe-best-match"


def test_what_is_set_for_uv_already_stays():
    told = packages.uv_environment("global.index-url='https://one'", {"UV_DEFAULT_INDEX": "https://other"})
    assert told == {"UV_INDEX_STRATEGY": "unsafe-best-match"}


# When there is something to do

EVERYTHING = "JupyterLab, nbgrader, the grader, JupyterHub and the tests"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose packages install in no time: two fake steps that note that they ran."""
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "constraints.txt").write_text("torch==9.9.0\n")
    steps = []

    def installer(root):
        return lambda argv, what, environ: steps.append(what.partition(" (")[0])

    monkeypatch.setattr(environment, "installer", installer)

    def fill(python, constraints, course, what, install):
        install([], "torch", {})
        install([], what, {})

    monkeypatch.setattr(packages, "fill", fill)
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
def test_a_learner_gets_no_more_than_the_notebooks_need_until_more_is_asked_for(repository, capsys):
    root, steps = repository
    environment.ensure("course", root)
    assert steps == ["venv", "torch", "JupyterLab and nbgrader"]
    says = capsys.readouterr().out
    for part in ("PyTorch (about 200 MB to download)", "(about 100 MB)", "GB on disk", "1 to 5 minutes"):
        assert part in says
    environment.ensure(root=root)
    assert steps[3:] == ["torch", EVERYTHING]
    assert "first start" not in capsys.readouterr().out
    environment.ensure("course", root)  # less is there already
    environment.ensure(root=root)
    assert len(steps) == 5
    (root / "constraints.txt").write_text("torch==9.9.1\n")
    environment.ensure("course", root)  # what was there is kept up to date
    assert steps[5:] == ["torch", EVERYTHING]


def test_extras_and_the_oldest_python_are_those_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"{project['requires-python']}.0" == f">={constraints.OLDEST}"
    extras, names = project["optional-dependencies"], list(environment.EXTRAS)
    for smaller, larger in itertools.pairwise(names):
        assert any(re.match(rf"attention-course\[(.*,)?{smaller}(,.*)?\]$", line) for line in extras[larger])


def test_seconds_go_by_for_people_who_watch(monkeypatch, capsys):
    monkeypatch.setattr(environment.sys.stdout, "isatty", lambda: True)
    said = []
    with environment.Ticker().running() as ticker:
        ticker.line = "Downloading a-large-file (190 MB)\n"
        goes_by = re.compile(r"[1-9] s  Downloading a-large-file \(190 MB\)")
        until(lambda: said.append(capsys.readouterr().out) or goes_by.search("".join(said)))


@needs_symlinks
def test_a_broken_environment_is_repaired(repository):
    root, steps = repository
    environment.ensure(root=root)
    ready = root / ".venv" / ".ready"

    def killed():
        ready.unlink()
        (root / ".venv" / ".installing").touch()

    def moved():
        ready.write_text(ready.read_text().replace(str(root), "/elsewhere"))

    for damage in (killed, venv_python(root).unlink, moved):
        damage()
        del steps[:]
        environment.ensure(root=root)
        assert steps == ["venv", "torch", EVERYTHING], damage
    ready.write_bytes(b"\xff\xfe")
    environment.ensure(root=root)
    assert steps[3:] == ["torch", EVERYTHING], "a stamp that nobody can read"
    assert environment.is_ready(root)


@needs_symlinks
def test_a_link_to_another_course_s_environment_is_refused_and_an_empty_folder_is_filled(
    repository, tmp_path
):
    root, steps = repository
    other = tmp_path / "other"
    other.mkdir()
    (other / ".ready").write_text("/another/course\nabc\ndev\n")
    (root / ".venv").symlink_to(other)
    with pytest.raises(Stop, match=r"^\.venv is a link to .*other, .*: delete the link"):
        environment.ensure(root=root)
    assert steps == []
    (other / ".ready").unlink()
    environment.ensure(root=root)
    assert steps == ["venv", "torch", EVERYTHING]


@needs_symlinks
def test_a_failed_step_leaves_no_stamp(repository, monkeypatch):
    root, _ = repository
    environment.ensure(root=root)
    (root / "constraints.txt").write_text("torch==9.9.1\n")

    def fail(*_):
        raise Stop("no")

    monkeypatch.setattr(packages, "fill", fail)
    with pytest.raises(Stop):
        environment.ensure(root=root)
    assert not environment.is_ready(root)
    assert environment.is_sound(root)


@pytest.mark.parametrize(
    ("script", "marked"),
    [
        ("print('ERROR: cannot download'); raise SystemExit(1)", False),
        ("print('Installing collected packages: torch'); raise SystemExit(1)", True),
        ("print('error: Failed to install: torch'); raise SystemExit(2)", True),
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
        ("error: Request failed\n  Caused by: tcp connect error", "internet"),  # uv's
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
        environment.installer(tmp_path)([sys.executable, "-m", "pip", "install", "no-such-package"], "it", {})
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


def test_pinned_wants_the_very_package():
    assert packages.pinned("torchvision==1.0\ntorch==2.13.0\n") == "2.13.0"
    with pytest.raises(ValueError, match="does not pin torch"):
        packages.pinned("torchvision==1.0\n")


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="set-up did not make this environment")
def test_set_up_installed_the_pinned_torch():
    wanted = packages.pinned((ROOT / "constraints.txt").read_text("utf-8"))
    assert packages.installed(Path(sys.executable)) == wanted
