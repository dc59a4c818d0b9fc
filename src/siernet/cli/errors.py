"""What ends a command early: one line on standard error and an exit status."""

from __future__ import annotations

import difflib
import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

BAD_INPUT = 2
INTERNAL = 1
INTERRUPTED = 130
BROKEN_PIPE = 141

_SHOWN = 5


class CommandError(Exception):
    """Something the user can put right; the message says how."""


class Interrupted(Exception):  # noqa: N818 - the user did it; it is no error
    """The user pressed Ctrl-C; the message says how to go on."""


def one_line(message: object) -> str:
    """A message without line breaks and without characters that would steer a terminal."""
    return printable(" ".join(str(message).split()))


def printable(text: object) -> str:
    """Text from data, safe to show: control characters are written as escapes."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in str(text)
    )


def named(names: Iterable[object], shown: int = _SHOWN) -> str:
    """A short list of names in quotes."""
    names = list(names)
    listed = ", ".join(f"'{printable(name)}'" for name in names[:shown])
    return listed if len(names) <= shown else f"{listed} and {len(names) - shown} more"


def nearest(name: str, names: Sequence[str]) -> str:
    """A sentence with the names nearest to one that is not there."""
    folded = {str(other).casefold(): str(other) for other in reversed(names)}
    # Hundreds of thousands of comparisons take seconds; those of similar length are enough.
    similar = [key for key in folded if abs(len(key) - len(name)) <= 3 or name.casefold() in key]
    close = difflib.get_close_matches(name.casefold(), similar[:20_000], n=3, cutoff=0.6)
    close += [key for key in similar if name and name.casefold() in key and key not in close]
    if close:
        return f"The nearest names are {named([folded[key] for key in close[:3]], 3)}."
    return f"Its columns are {named(names)}." if len(names) else "It has no columns."


def os_error_line(error: OSError, path: str | os.PathLike[str] | None = None) -> str:
    """What went wrong with a file, and what to do."""
    name = printable(path if path is not None else error.filename or "the file")
    known = {
        errno.ENOENT: f"{name} does not exist. Check the path.",
        errno.EISDIR: f"{name} is a folder. Name a file in it.",
        errno.ENOTDIR: f"{name}: a part of the path is not a folder. Check the path.",
        errno.EACCES: f"No permission for {name}. Choose another place, or change its rights.",
        errno.EPERM: f"No permission for {name}. Choose another place, or change its rights.",
        errno.EROFS: f"{name} is on a disk that cannot be written to. Choose another place.",
        errno.ENOSPC: f"No space left on the disk for {name}. Free some, or choose another place.",
        errno.EDQUOT: f"No space left in your quota for {name}. Free some, or choose another.",
        errno.ENAMETOOLONG: "The file's name is too long. Choose a shorter one.",
    }
    return known.get(error.errno or 0, f"{name}: {error.strerror or error}.")


@contextmanager
def for_user() -> Iterator[None]:
    """Errors that the package words for its users become errors of the command."""
    try:
        yield
    except OSError as error:
        raise CommandError(os_error_line(error)) from error
    except (ValueError, FloatingPointError, ImportError) as error:
        raise CommandError(one_line(error) or type(error).__name__) from error
    except MemoryError as error:
        raise CommandError(
            f"Not enough memory ({one_line(error) or 'none left'}). Close other programs, or use "
            "fewer columns (--drop) or rows."
        ) from error


def check_output(path: Path, *, force: bool) -> None:
    """Refuses, before any work is done, a place that could not be written to afterwards."""
    if path.is_dir():
        raise CommandError(f"{printable(path)} is a folder. Name a file to write.")
    if path.exists() and not force:
        raise CommandError(
            f"{printable(path)} exists. Pass --force to replace it, or another name."
        )
    folder = path.parent
    if not folder.exists():
        raise CommandError(f"The folder {printable(folder)} does not exist. Make it first.")
    if not folder.is_dir():
        raise CommandError(f"{printable(folder)} is not a folder. Choose another place.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CommandError(
            f"No permission to write in {printable(folder)}. Choose another place, or change its "
            "rights."
        )
