"""Which releases had a key."""

from __future__ import annotations

from packaging.version import Version

from snippet_checker.schema.release import load, releases


def releases_with(key: str) -> tuple[str, ...]:
    """The releases in which some program has `key`, oldest first."""
    return tuple(name for name in releases() if key in load(name).known)


def last_before(key: str, release: str) -> str | None:
    """The last release older than `release` that has `key`."""
    older = [n for n in releases_with(key) if Version(n) < Version(release)]
    return older[-1] if older else None


def first_after(key: str, release: str) -> str | None:
    """The first release newer than `release` that has `key`."""
    newer = [n for n in releases_with(key) if Version(n) > Version(release)]
    return newer[0] if newer else None


def last_with_entry(module: str) -> str | None:
    """The newest release in which `module` is an entry point."""
    having = [n for n in releases() if any(e.module == module for e in load(n).facts.entries)]
    return having[-1] if having else None


def last_with_file(path: str) -> str | None:
    """The newest release whose wheel holds `path`."""
    having = [name for name in releases() if path in load(name).facts.files]
    return having[-1] if having else None
