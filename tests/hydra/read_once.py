"""Real Hydra, which does once what gives the same each time: reading a file, merging configs.

All that Hydra does with a command is done, and by Hydra. What a step of it made of the same files
is kept, and handed out as a copy. `test_read_once.py` compares it with Hydra as it is.
"""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import IConfigRepository
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.default_element import ResultDefault
from hydra.plugins.config_source import ConfigResult
from omegaconf import DictConfig, OmegaConf

Kept = dict[object, bytes]
"""What was read and merged, by all that it depends on."""

_START = ResultDefault()


@contextlib.contextmanager
def yaml_read_once() -> Iterator[None]:
    """OmegaConf reads equal texts once, while it lasts."""
    load, read = OmegaConf.load, dict[str, bytes]()

    def remembered(file: Any) -> Any:
        text = file.read()
        if text not in read:
            read[text] = pickle.dumps(load(io.StringIO(text)))
        return pickle.loads(read[text])

    OmegaConf.load = staticmethod(remembered)  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        OmegaConf.load = staticmethod(load)  # type: ignore[method-assign]


class Loader(ConfigLoaderImpl):
    """Hydra's loader, which reads each file once, and merges once what lists of configs begin with.

    Where the files of a project are written anew for each command, `texts` has what stands in them
    now, and `kept` what is the same for all commands. Of what is merged, it is Hydra's own part
    then.
    """

    def __init__(
        self,
        config_search_path: ConfigSearchPath,
        kept: Kept | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(config_search_path)
        self._kept: Kept = {} if kept is None else kept
        self._texts = texts
        self._start = OmegaConf.create()
        self.repository: Any = _Repository(self.repository, self._kept, texts)

    def _compose_config_from_defaults_list(
        self, defaults: Sequence[ResultDefault], repo: IConfigRepository
    ) -> DictConfig:
        first = list(takewhile(self._stays, defaults))
        key = (_named(repo), *map(repr, first))
        if key not in self._kept:
            made = super()._compose_config_from_defaults_list(first, repo)
            self._kept[key] = pickle.dumps(made)
        self._start = pickle.loads(self._kept[key])
        if len(first) == len(defaults):
            return self._start
        rest = [_START, *defaults[len(first) :]]
        return super()._compose_config_from_defaults_list(rest, repo)

    def _load_single_config(self, default: ResultDefault, repo: IConfigRepository) -> ConfigResult:
        if default is _START:
            return ConfigResult(provider="kept", path="", config=self._start, header={})
        return super()._load_single_config(default, repo)

    def _stays(self, default: ResultDefault) -> bool:
        return self._texts is None or _is_hydras(default.config_path or "")


class _Repository:
    """A repository of configs that reads each file once, and hands out a copy of it.

    Hydra copies the repository for each config that it composes, and may then give the copy other
    sources. What was read goes along: it is told apart by the sources.
    """

    def __init__(
        self, repository: IConfigRepository, kept: Kept, texts: Mapping[str, str] | None
    ) -> None:
        self._repository = repository
        self._kept = kept
        self._texts = texts
        self._sources = _named(repository)

    def load_config(self, config_path: str) -> Any:
        text = None
        if self._texts is not None and not _is_hydras(config_path):
            text = self._texts.get(config_path)
            if text is None:
                return self._repository.load_config(config_path)
        key = (self._sources, "read", config_path, text)
        if key not in self._kept:
            self._kept[key] = pickle.dumps(self._repository.load_config(config_path))
        return pickle.loads(self._kept[key])

    def initialize_sources(self, config_search_path: ConfigSearchPath) -> None:
        self._repository.initialize_sources(config_search_path)
        self._sources = _named(self._repository)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Repository:
        # Other sources are a new list of new sources: those of the original stay as they are.
        return _Repository(copy.copy(self._repository), self._kept, self._texts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._repository, name)


def _is_hydras(config_path: str) -> bool:
    return config_path.startswith("hydra/")


def _named(repository: IConfigRepository) -> tuple[tuple[str, str, str], ...]:
    sources = repository.get_sources()
    return tuple((source.scheme(), source.provider, source.path) for source in sources)
