"""The command's entry point and its list of commands."""

from __future__ import annotations

from typing import Annotated

import typer

from understudy import __version__
from understudy.cli import (
    batch,
    bench,
    between,
    build,
    convert,
    correct,
    info,
    interact,
    perform,
    performer,
    reach,
    retarget,
    show,
    studio,
    verify,
    walk,
    warm_up,
)
from understudy.cli.shell import command

app = typer.Typer(
    name="understudy",
    help="Recorded human motion and a scene in; new, verified full-body motion out.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

command(app, "info", epilog=info.EXAMPLE)(info.info)
command(app, "convert", epilog=convert.EXAMPLE)(convert.convert)
command(app, "retarget", epilog=retarget.EXAMPLE)(retarget.retarget)
command(app, "performer", epilog=performer.EXAMPLE)(performer.performer)
command(app, "build", plans=True, epilog=build.EXAMPLE)(build.build)
command(app, "walk", plans=True, epilog=walk.EXAMPLE)(walk.walk)
command(app, "interact", plans=True, epilog=interact.EXAMPLE)(interact.interact)
command(app, "correct", plans=True, epilog=correct.EXAMPLE)(correct.correct)
command(app, "reach", plans=True, epilog=reach.EXAMPLE)(reach.reach)
command(app, "perform", plans=True, epilog=perform.EXAMPLE)(perform.perform)
command(app, "between", plans=True, epilog=between.EXAMPLE)(between.between)
command(app, "show", epilog=show.EXAMPLE)(show.show)
command(app, "verify", epilog=verify.EXAMPLE)(verify.verify)
command(app, "studio", epilog=studio.EXAMPLE)(studio.studio)
command(app, "batch", plans=True, epilog=batch.EXAMPLE)(batch.batch)
command(app, "warm-up", epilog=warm_up.EXAMPLE)(warm_up.warm_up)
command(app, "bench", epilog=bench.EXAMPLE)(bench.bench)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"understudy {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    app()
