"""The help of every command that takes a model says that the name of a mechanism of the gallery will do. Oracle: the list of
commands itself. Nothing is compiled for it."""

import pytest

from mekane.cli.main import app, main

COMMANDS = [command.name for command in app.registered_commands if not command.hidden]
WITHOUT_A_MODEL = ["gallery", "demo"]


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in WITHOUT_A_MODEL])
def test_it_names_the_gallery(capsys, command):
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert not end.value.code and "gallery" in capsys.readouterr().out
