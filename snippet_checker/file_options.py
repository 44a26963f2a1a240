"""The options of each file: from the command line first, then from `pyproject.toml`.

There, the overrides that name a file come before what holds for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from snippet_checker import files, rules
from snippet_checker.baseline import NOTHING, Baseline, read_baseline
from snippet_checker.baseline_entries import BaselineEntries
from snippet_checker.cache import ResultCache, digest_of
from snippet_checker.config import Config, ConfigError, PathOverride
from snippet_checker.errors import UserError
from snippet_checker.options import Options
from snippet_checker.translations import glossary, glossary_file
from snippet_checker.verl.release import is_snapshot, load, newest


class ExplicitOptions(Struct, frozen=True):
    """Options from the command line, or from a host; nothing in a file changes them."""

    verl: str | None = None
    entry: str | None = None
    strict: bool = False
    select: Sequence[str] | None = None
    ignore: Sequence[str] | None = None
    site: str | None = None

    def ignored(self) -> frozenset[str]:
        """The rules that it leaves out; raises UserError where one is unknown."""
        known = rules.all_rules()
        for name in (*(self.select or ()), *(self.ignore or ())):
            if name not in known:
                raise UserError(rules.unknown(name))
        selected = known.keys() if self.select is None else self.select
        return frozenset(known.keys() - selected).union(self.ignore or ())


class FileOptions(Struct, frozen=True):
    """The options for all files, and the overrides for some of those below `root`.

    What the `baseline` accepts in a file is no finding there.
    """

    default: Options
    root: Path
    overrides: tuple[PathOverride, ...] = ()
    explicit: ExplicitOptions = ExplicitOptions()
    baseline: Baseline = NOTHING

    def of(self, file: Path) -> Options:
        """The options for one file."""
        options = self.default
        for one in self.overrides:
            if files.matches(self.root, file, one.paths):
                options = self.changed_by(one, options)
        return replace(options, baseline=self.baseline_of(file))

    def baseline_of(self, file: Path) -> BaselineEntries:
        """What the baseline accepts in a file."""
        known = self.baseline.files
        return known.get(files.name_from(self.root, file), ()) if known else ()

    def releases(self) -> tuple[str, ...]:
        """The releases that some file may be checked against."""
        others = (self.changed_by(one, self.default).release for one in self.overrides)
        return tuple(dict.fromkeys([self.default.release, *others]))

    def cache(self, folder: Path) -> ResultCache:
        """The results in a folder that were found with these options."""
        digests = [
            digest_of(Path(name).read_bytes()) for name in self.releases() if is_snapshot(name)
        ]
        unordered = replace(self.default, ignore=frozenset()), sorted(self.default.ignore)
        return ResultCache(
            folder, (unordered, digests, self.overrides, self.explicit, self.baseline)
        )

    def changed_by(self, one: PathOverride, options: Options) -> Options:
        """Options as an override has them."""
        if one.verl is not None and self.explicit.verl is None:
            options = replace(
                options, release=_release(one.verl, self.root), release_is_default=False
            )
        if one.entry is not None and self.explicit.entry is None:
            options = replace(options, entry=one.entry)
        if one.strict is not None and not self.explicit.strict:
            options = replace(options, strict=one.strict)
        return replace(options, ignore=options.ignore.union(one.ignore))


def file_options(
    settings: Config, explicit: ExplicitOptions, *, baseline: bool = True
) -> FileOptions:
    """The options of a project's files, with or without what it accepts.

    Raises UserError where something is asked for that is not there.
    """
    options = Options(
        explicit.verl or _release(settings.verl or newest(), settings.root),
        explicit.entry or settings.entry,
        strict=explicit.strict or settings.strict,
        vocabulary=_vocabulary(settings),
        ignore=explicit.ignored().union(settings.ignore),
        release_is_default=not (explicit.verl or settings.verl),
    )
    accepted = _baseline(settings) if baseline else NOTHING
    found = FileOptions(options, settings.root.resolve(), settings.overrides, explicit, accepted)
    _check_entry(options)
    check_ignored(settings.ignore, f"{_place(settings, '[tool.snippet-checker]')} 'ignore'")
    for one in settings.overrides:
        place = _place(settings, "[[tool.snippet-checker.overrides]]")
        check_ignored(one.ignore, f"{place} 'ignore'")
        try:
            _check_entry(found.changed_by(one, options))
        except UserError as error:
            raise ConfigError(f"{place}: {error}") from None
    return found


def _baseline(settings: Config) -> Baseline:
    """What the project accepts, in the file that it names or that has the usual name."""
    file = baseline_file(settings)
    return read_baseline(file) if settings.baseline or files.may_be_file(file) else NOTHING


def baseline_file(settings: Config) -> Path:
    """Where the project names the findings that it accepts."""
    return settings.root / settings.baseline_name


def _release(name: str, root: Path) -> str:
    """A release, or the path of its snapshot, which counts from the project's root."""
    return str(root / name) if is_snapshot(name) else name


def _check_entry(options: Options) -> None:
    release = load(options.release)
    if options.entry is not None and release.entry(options.entry) is None:
        known = ", ".join(release.modules)
        raise UserError(f"verl {release.name} has no entry point '{options.entry}'; it has {known}")


def check_ignored(names: Iterable[str], place: str) -> None:
    """Raise ConfigError where one of the names that stand in a place is no rule."""
    known = rules.all_rules()
    for name in names:
        if name not in known:
            raise ConfigError(
                f"{place} has '{name}', which is no rule; there are {', '.join(known)}"
            )


def _place(settings: Config, table: str) -> str:
    return f"{settings.root / 'pyproject.toml'}: {table}"


def _vocabulary(settings: Config) -> glossary.Vocabulary:
    if settings.glossary is None:
        return glossary.Vocabulary()
    return glossary.vocabulary(glossary_file.load(settings.root / settings.glossary))
