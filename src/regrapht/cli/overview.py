"""The overview of a group of commands, in plain text: each command with its whole summary, wrapped and not cut."""

from typing import Any

from typer.core import TyperGroup

from regrapht.cli.interrupt import Interrupted

_LONGER_THAN_ANY = 1000


class Overview(TyperGroup):
    """A group whose `--help` tells what each command does in full, and that tells Ctrl-C from other ends."""

    def invoke(self, ctx: Any) -> Any:
        """As the class above; Ctrl-C arrives as `Interrupted`, apart from the exit code that a command chose itself."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interrupted from error

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))

    def summaries(self, ctx: Any) -> list[tuple[str, str]]:
        """Each command with what it does."""
        commands = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        return [(name, command.get_short_help_str(_LONGER_THAN_ANY)) for name, command in commands]
