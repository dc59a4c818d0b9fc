"""Where data files are: a folder, or the public origin by way of a cache; checked either way."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from siernet.files import whole_file

DATA_VARIABLE = "SIERNET_DATA"
Folder = str | os.PathLike[str] | None
# A data folder holds a folder for each set, or these two that do.
_PARTS = ("", "uci", "more")


@dataclass(frozen=True)
class Source:
    """Files that are published together.

    ``url`` is the file itself or, when it ends in ``.zip``, an archive that contains them.
    ``sha256`` holds, for each file, the digests that its decompressed content may have; where it
    holds none, no digest is known, and only the shape can be checked.
    """

    folder: str
    url: str
    sha256: Mapping[str, tuple[str, ...]]


def read_file(source: Source, name: str, data_home: Folder = None) -> bytes:
    """The decompressed, checked content of one file of ``source``.

    It is looked for in ``data_home``; else in the folder that the environment variable
    ``SIERNET_DATA`` names; else it is downloaded, once, into the user's cache.

    Raises
    ------
    FileNotFoundError
        If a folder was given and the file is not there.
    ConnectionError
        If the download fails.
    ValueError
        If the content is not the documented one.
    """
    folder = _given_folder(data_home)
    if folder is None:
        return _from_cache(source, name)
    path = _find(folder, source, name)
    if path is None:
        raise FileNotFoundError(
            f"{folder / source.folder / name} does not exist (nor with .gz at its end, nor in a "
            f"folder uci or more of {folder}). Put the file from {source.url} there; or, to have "
            f"it downloaded, give no data_home and unset the environment variable {DATA_VARIABLE}."
        )
    return _from_file(path, source, name, f"Replace it by the one that {source.url} publishes.")


def is_there(source: Source, name: str, data_home: Folder = None) -> bool:
    """Whether a folder was given, and has the file."""
    folder = _given_folder(data_home)
    return folder is not None and _find(folder, source, name) is not None


def cache_folder() -> Path:
    """Where downloaded files are kept, laid out as a ``data_home`` is."""
    return Path(_pooch().os_cache("siernet"))


def _given_folder(data_home: Folder) -> Path | None:
    given = data_home if data_home is not None else os.environ.get(DATA_VARIABLE) or None
    return None if given is None else Path(given).expanduser()


def _find(folder: Path, source: Source, name: str) -> Path | None:
    for part in _PARTS:
        for ending in ("", ".gz"):
            path = folder / part / source.folder / (name + ending)
            if path.is_file():
                return path
    return None


def _from_file(path: Path, source: Source, name: str, remedy: str) -> bytes:
    content = path.read_bytes()
    if path.name == name + ".gz":
        try:
            content = gzip.decompress(content)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{path} is not a whole gzip file ({error}). {remedy}") from error
    return _checked(content, source, name, str(path), remedy)


def _from_cache(source: Source, name: str) -> bytes:
    cache = cache_folder()
    path = _find(cache, source, name)
    if path is not None:
        return _from_file(path, source, name, "Delete it, and it will be downloaded again.")
    contents = _downloaded(source, name)
    for file_name, content in contents.items():  # what is published together is fetched once
        remedy = f"Nothing was kept. {_by_other_means(source, file_name)}"
        _checked(content, source, file_name, source.url, remedy)
    (cache / source.folder).mkdir(parents=True, exist_ok=True)
    for file_name, content in contents.items():
        with whole_file(cache / source.folder / file_name) as file:
            file.write(content)
    return contents[name]


def _downloaded(source: Source, name: str) -> dict[str, bytes]:
    """The files of ``source`` by name."""
    elsewhere = _by_other_means(source, name)
    try:
        published = _retrieved(source.url)
    except OSError as error:
        raise ConnectionError(f"Could not download {source.url} ({error}). {elsewhere}") from error
    if not source.url.endswith(".zip"):
        return {name: published}
    try:
        contents = _zip_members(published, source.sha256.keys())
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error) as error:
        raise ValueError(f"{source.url} is not a whole archive ({error}). {elsewhere}") from error
    if name not in contents:
        raise ValueError(f"{source.url} does not contain {name}. {elsewhere}")
    return contents


def _by_other_means(source: Source, name: str) -> str:
    return (
        f"Get the file by other means and pass data_home=FOLDER (or set {DATA_VARIABLE}=FOLDER), "
        f"where FOLDER/{source.folder}/{name} is the file."
    )


def _retrieved(url: str) -> bytes:
    pooch = _pooch()
    pooch.get_logger().setLevel("WARNING")
    with tempfile.TemporaryDirectory() as folder:
        path = pooch.retrieve(
            url,
            known_hash=None,  # archives are packed anew at times; their content is checked instead
            fname="download",
            path=folder,
            downloader=pooch.HTTPDownloader(timeout=60),
        )
        return Path(path).read_bytes()


def _zip_members(archive: bytes, names: Any) -> dict[str, bytes]:
    """The files called ``names`` in a zip archive, or in tar archives therein."""
    found: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for entry in opened.namelist():
            name = PurePosixPath(entry).name
            if name in names:
                found[name] = opened.read(entry)
            elif name.endswith(".tar.gz"):
                found |= _tar_members(opened.read(entry), names)
    return found


def _tar_members(archive: bytes, names: Any) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        for entry in opened:
            name = PurePosixPath(entry.name).name
            content = opened.extractfile(entry) if name in names else None
            if content is not None:
                found[name] = content.read()
    return found


def _checked(content: bytes, source: Source, name: str, place: str, remedy: str) -> bytes:
    expected = source.sha256.get(name, ())
    digest = hashlib.sha256(content).hexdigest()
    if expected and digest not in expected:
        raise ValueError(
            f"{name} from {place} is not the documented file: its SHA-256 is {digest}, expected "
            f"{' or '.join(expected)}. {remedy}"
        )
    return content


def _pooch() -> Any:
    try:
        import pooch
    except ImportError as error:
        raise ImportError(
            "Downloading data needs pooch. Install it with: pip install 'siernet[data]'"
        ) from error
    return pooch
