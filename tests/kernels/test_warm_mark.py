"""One list says that everything `mekane warm` compiles is on disk. Oracle: the files themselves, changed one by one."""

import subprocess
import sys

import pytest

from mekane.numba_backend import kernel_cache, warm_mark

FILES = {"kernels/rhs.py": ["one.code"], "solvers/explicit.py": ["other.code", "complete-1"]}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The files of a list that was just written."""
    monkeypatch.setenv("MEKANE_CACHE", str(tmp_path))
    forget()
    monkeypatch.setattr(warm_mark, "used_files", lambda: FILES)
    found = [
        kernel_cache.cache_folder(kernel_cache.PACKAGE / source) / name for source in FILES for name in FILES[source]
    ]
    for file in found:
        file.parent.mkdir(exist_ok=True)
        file.write_text(file.name)
    assert not warm_mark.is_warm() and warm_mark.mark_warm()
    yield found
    forget()


def forget():
    kernel_cache.cache_home.cache_clear()
    kernel_cache.cache_folder.cache_clear()


def test_only_what_is_there_and_whole_is_warm(files):
    assert warm_mark.is_warm()
    for file in files:
        file.write_text("damaged")
        assert not warm_mark.is_warm()
        file.unlink()
        assert not warm_mark.is_warm()
        file.write_text(file.name)
        assert warm_mark.is_warm()


def test_a_damaged_list_is_not_believed(files):
    mark, _ = warm_mark.place()
    text = mark.read_bytes()
    for damaged in (b"", text[:-1], text[:32]):
        mark.write_bytes(damaged)
        assert not warm_mark.is_warm()


def test_other_settings_of_numba_are_another_list(files, monkeypatch):
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    monkeypatch.setattr(warm_mark, "processor", warm_mark.processor.__wrapped__)  # as another process finds it
    assert not warm_mark.is_warm()


def test_what_could_not_be_stored_is_not_listed(files, monkeypatch):
    warm_mark.place()[0].unlink()
    monkeypatch.setattr(warm_mark, "used_files", lambda: None)
    assert not warm_mark.mark_warm() and not warm_mark.is_warm()


def test_the_list_is_read_without_numba():
    program = "import sys; from mekane.numba_backend.warm_mark import is_warm; is_warm(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
