"""The command `oracle`: each command a question put to the rest of the package, see `oracle.commands`.

Exit codes: 0 conforms, 1 a divergence, a failed case or a finding, 2 input that cannot be used or
nothing run, 3 the implementation or the oracle itself failed, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from oracle.commands import checks, positions, proofs, rules
from oracle.commands.frame import complain
from oracle.errors import OracleError


class Oracle(click.Group):
    """The group of all commands, which turns errors into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        from oracle.conformance import stopping

        debug = ctx.params.get("debug") or os.environ.get("ORACLE_DEBUG", "") not in ("", "0")
        if sys.stdin is None:  # closed: whoever reads it finds nothing there
            sys.stdin = open(os.devnull)  # noqa: SIM115
        try:
            with stopping.orderly():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            complain("interrupted")
            ctx.exit(130)
        except OracleError as error:
            if debug:
                raise
            complain(str(error))
            ctx.exit(error.exit_code)
        except Exception as error:
            if debug:
                raise
            complain(
                f"this is a fault of the oracle itself: {type(error).__name__}: {error}\n"
                "  --debug shows where; please report it"
            )
            ctx.exit(3)


@click.group(cls=Oracle, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show where in the code an error comes from. [env: ORACLE_DEBUG]")
@click.version_option(None, "-V", "--version", package_name="rules-oracle", message="%(prog)s %(version)s")
def cli(debug: bool) -> None:
    """Says what the rules of a tabletop game allow, and what a program that plays it gets wrong."""


COMMANDS = (
    *(rules.games, rules.rules, positions.legal, positions.timeline, positions.perft),
    *(proofs.prove, proofs.readings, proofs.questions, checks.check, checks.lint),
)
for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """The entry point."""
    from oracle.conformance import stopping

    with stopping.orderly(last=True):
        cli.main(prog_name="oracle")


if __name__ == "__main__":
    main()
