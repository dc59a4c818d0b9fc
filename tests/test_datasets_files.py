"""Data files: where they are looked for, what is refused, what a download leaves behind."""

import gzip
import hashlib
import http.server
import io
import os
import tarfile
import threading
import zipfile

import pytest

from siernet.datasets import files
from siernet.datasets.files import Source, read_file

CONTENT = b"1,2\n3,4\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
OTHER = b"something else\n"


def source(url="https://nowhere.invalid/table.csv", **digests):
    return Source("tables", url, digests or {"table.csv": (DIGEST,)})


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache, and no folder given."""
    monkeypatch.delenv("SIERNET_DATA", raising=False)
    monkeypatch.setattr(files, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def server():
    """A loopback server: put path -> body into ``pages``; ``requests`` lists what was asked for."""
    pages, requests = {}, []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            missing = 100 if self.path.startswith("/cut") else 0
            self.send_header("Content-Length", str(len(body or b"") + missing))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        running.pages, running.requests = pages, requests
        running.url = f"http://127.0.0.1:{running.server_port}"
        yield running
        running.shutdown()


def everything_in(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def zipped(**members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(**members):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(f"inner/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


@pytest.mark.parametrize("part", ["", "uci", "more"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_may_hold_the_file_plain_or_gzipped(tmp_path, part, packed):
    folder = tmp_path / part / "tables"
    folder.mkdir(parents=True)
    if packed:
        (folder / "table.csv.gz").write_bytes(gzip.compress(CONTENT))
    else:
        (folder / "table.csv").write_bytes(CONTENT)
    assert read_file(source(), "table.csv", tmp_path) == CONTENT
    assert read_file(source(), "table.csv", str(tmp_path)) == CONTENT


def test_the_environment_names_a_folder_and_data_home_goes_before_it(tmp_path, monkeypatch):
    for name in ("here", "there"):
        (tmp_path / name / "tables").mkdir(parents=True)
        (tmp_path / name / "tables" / "table.csv").write_text(name)
    monkeypatch.setenv("SIERNET_DATA", str(tmp_path / "here"))
    undigested = source(**{"table.csv": ()})
    assert read_file(undigested, "table.csv") == b"here"
    assert read_file(undigested, "table.csv", tmp_path / "there") == b"there"


def test_a_missing_file_says_where_it_belongs_and_is_not_downloaded(tmp_path, cache):
    with pytest.raises(FileNotFoundError, match=r"tables.table\.csv does not exist.*nowhere"):
        read_file(source(), "table.csv", tmp_path)
    assert not cache.exists()


def test_a_tampered_file_is_refused(tmp_path):
    path = tmp_path / "tables" / "table.csv"
    path.parent.mkdir()
    path.write_bytes(OTHER)
    with pytest.raises(ValueError, match=f"SHA-256 is {hashlib.sha256(OTHER).hexdigest()}") as e:
        read_file(source(), "table.csv", tmp_path)
    assert DIGEST in str(e.value)
    assert str(path) in str(e.value)


def test_a_cut_gzip_file_is_refused(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "table.csv.gz").write_bytes(gzip.compress(CONTENT)[:-6])
    with pytest.raises(ValueError, match="not a whole gzip file"):
        read_file(source(), "table.csv", tmp_path)


def test_a_file_is_downloaded_once(cache, server):
    server.pages["/table.csv"] = CONTENT
    where = source(f"{server.url}/table.csv")
    assert read_file(where, "table.csv") == CONTENT
    assert read_file(where, "table.csv") == CONTENT
    assert server.requests == ["/table.csv"]
    assert everything_in(cache) == ["tables/table.csv"]


@pytest.mark.parametrize("nested", [False, True])
def test_an_archive_is_fetched_once_for_all_its_files(cache, server, nested):
    members = {"table.csv": CONTENT, "labels.csv": OTHER, "readme.txt": b"hello"}
    server.pages["/all.zip"] = zipped(**{"x.tar.gz": tarred(**members)} if nested else members)
    where = source(f"{server.url}/all.zip", **{"table.csv": (DIGEST,), "labels.csv": ()})
    assert read_file(where, "table.csv") == CONTENT
    assert read_file(where, "labels.csv") == OTHER
    assert server.requests == ["/all.zip"]
    assert everything_in(cache) == ["tables/labels.csv", "tables/table.csv"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (zipped(**{"table.csv": OTHER}), "Nothing was kept"),
        (zipped(**{"readme.txt": CONTENT}), "does not contain table.csv"),
        (zipped(**{"table.csv": CONTENT})[:-30], "not a whole archive"),
        (zipped(**{"x.tar.gz": tarred(**{"table.csv": CONTENT * 999})[:40]}), "not a whole arch"),
        (b"<html>Sign in</html>", "not a whole archive"),
    ],
)
def test_a_wrong_archive_is_refused_and_not_kept(cache, server, body, message):
    server.pages["/all.zip"] = body
    with pytest.raises(ValueError, match=message) as raised:
        read_file(source(f"{server.url}/all.zip"), "table.csv")
    assert "data_home=FOLDER" in str(raised.value)
    assert not cache.exists()


@pytest.mark.parametrize("path", ["/cut.csv", "/not-there.csv"])
def test_a_failed_download_says_how_to_do_without(cache, server, path):
    server.pages["/cut.csv"] = CONTENT
    with pytest.raises(ConnectionError, match=rf"Could not download .*{path}.*SIERNET_DATA=FOLDER"):
        read_file(source(f"{server.url}{path}"), "table.csv")
    assert not cache.exists()


def test_no_server_is_a_failed_download(cache, server):
    server.shutdown()
    server.server_close()
    with pytest.raises(ConnectionError, match="Could not download"):
        read_file(source(f"{server.url}/table.csv"), "table.csv")


def test_a_failed_write_leaves_no_file_behind(cache, server, monkeypatch):
    server.pages["/table.csv"] = CONTENT

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            read_file(source(f"{server.url}/table.csv"), "table.csv")
    assert everything_in(cache) == []


def test_a_damaged_cache_says_what_to_delete(cache):
    path = cache / "tables" / "table.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(OTHER)
    with pytest.raises(ValueError, match="Delete it, and it will be downloaded again") as raised:
        read_file(source(), "table.csv")
    assert str(path) in str(raised.value)
