"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of ``path`` once it is complete.

    What is written goes to a temporary file in the same folder, created with the permissions that
    any new file gets; after an error it is removed and ``path`` is as it was.
    """
    path = Path(path)
    temporary = path.with_name(f".{uuid.uuid4().hex}.part")
    try:
        handle = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
        )
    except OSError as error:  # about the file that was asked for, not about the temporary one
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename in (None, os.fspath(temporary)):
            raise type(error)(error.errno, error.strerror, os.fspath(path)) from error
        raise
