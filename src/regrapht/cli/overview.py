"""What `--help` prints, in plain text: commands and options under headings, each with its whole summary, wrapped and not cut."""

from itertools import groupby
from typing import Any

from typer.core import TyperCommand, TyperGroup

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
        for heading, summaries in self.summaries(ctx).items():
            with formatter.section(heading):
                formatter.write_dl(summaries)

    def summaries(self, ctx: Any) -> dict[str, list[tuple[str, str]]]:
        """Each command with what it does, by heading."""
        commands = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        return {"Commands": [(name, command.get_short_help_str(_LONGER_THAN_ANY)) for name, command in commands]}


class Sections(TyperCommand):
    """A command with many options: `--help` prints those of one `rich_help_panel` under it, in the order of the function."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for heading, parameters in groupby(self.get_params(ctx), key=_heading):
            with formatter.section(heading):
                formatter.write_dl([shown for one in parameters if (shown := one.get_help_record(ctx)) is not None])


def _heading(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "Arguments"
    return parameter.rich_help_panel or "Options"
