"""Files of a revision, read from git: data only, nothing of it is run."""

import io
import subprocess
import tarfile
from pathlib import Path


class RevisionError(Exception):
    """Git cannot give what was asked for; the message says what and the remedy."""


def root_of(folder: Path) -> Path:
    """The repository that a folder is in.

    Raises:
        RevisionError: it is in none.
    """
    answer = _git(folder, "rev-parse", "--show-toplevel")
    if answer.returncode:
        raise RevisionError(f"{folder} is in no git repository; a comparison needs one")
    return Path(answer.stdout.decode().strip())


def commit_of(repository: Path, revision: str) -> str:
    """The commit that a revision names.

    Raises:
        RevisionError: it names none.
    """
    answer = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if answer.returncode:
        raise RevisionError(f"revision '{revision}' does not exist; fetch it, or name another one with --base")
    return answer.stdout.decode().strip()


def extract(repository: Path, commit: str, folder: Path, into: Path) -> Path | None:
    """Write a folder of a commit under `into`; None if the commit has none. Symbolic links are left out."""
    answer = _git(repository, "archive", "--format=tar", commit, "--", folder.as_posix())
    if answer.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(answer.stdout)) as archive:
        archive.extractall(into, [member for member in archive if member.isfile() or member.isdir()], filter="data")
    return into / folder


def _git(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
