"""What a program writes into its config before verl gets it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from snippet_checker.projects.modules import Modules
from snippet_checker.text import python_tree

_CONFIG = re.compile(r"(?:^|_)(?:config|cfg|conf)$")
_PART = "actor_rollout_ref"  # of the config, which workers get
_MERGING = frozenset({"merge", "merge_with", "unsafe_merge", "update"})
_WORKERS_PARTS = {("config", part) for part in ("actor", "ref", "rollout")}
_FORMAT = re.compile(r"[\w{}]+(?:\.[\w{}]+)+")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")


class ConfigWrites:
    """What the code does to the config, as its nodes are noted."""

    def __init__(self) -> None:
        self.is_remade = False
        self._keys: set[str] = set()
        self._writes_by_variable = False

    def keys(self, modules: Modules) -> frozenset[str]:
        """The last names of what is written, where some `modules` were read."""
        if not self._writes_by_variable:
            return frozenset(self._keys)
        # Any path that stands in the code may be the one that a variable names.
        return frozenset(self._keys.union(*map(_written_by_path, modules.nodes())))

    def note_target(self, node: ast.Attribute | ast.Subscript) -> None:
        """A key that is set, or taken away."""
        if not isinstance(node.ctx, ast.Store | ast.Del):
            return
        if isinstance(node, ast.Attribute):
            if python_tree.last_name(node.value) != "self":  # else it is an object's own
                self._keys.add(node.attr)
        elif isinstance(node.slice, ast.Constant):
            self._keys.add(_leaf(node.slice.value))

    def note_call(self, node: ast.Call) -> None:
        """A config that is merged with another one, or written by a name that is put together."""
        name, texts = python_tree.last_name(node.func), [*map(python_tree.text, node.args)]
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        about = [*node.args, *([owner] if owner is not None else [])]
        if name in ("setattr", "update", "pop") and any(texts) and any(map(is_config, about)):
            self._keys.update(map(_leaf, filter(None, texts)))
        elif _writes_by_variable(node):
            self._writes_by_variable = True
        elif name == "merge" and [*map(_is_whole_config, node.args[:-1])] == [True]:
            if (keys := [*_written_keys(node.args[-1])]) and all(keys):
                self._keys.update(filter(None, keys))
            else:
                self.is_remade = True
        elif name in (*_MERGING, "setattr") and any(map(_is_whole_config, about)):
            self.is_remade = True


def is_config(node: ast.expr) -> bool:
    """Whether an expression is called a config, or is what verl's workers get of it."""
    name = python_tree.last_name(node)
    return name == _PART or bool(_CONFIG.search(name))


def _is_whole_config(node: ast.expr) -> bool:
    return bool(_CONFIG.fullmatch(python_tree.last_name(node)))


def is_workers_part(node: ast.AST) -> bool:
    """Whether a key is written in what a worker gets, as `self.config.actor.x`.

    verl's workers divide their batches so; nobody else sees it.
    """
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    is_own = isinstance(node, ast.Name) and node.id == "self"
    return is_own and len(names) > 2 and (names[-1], names[-2]) in _WORKERS_PARTS


def _leaf(key: object) -> str:
    return str(key).rpartition(".")[2]


def _written_by_path(node: ast.AST) -> Iterator[str]:
    """What is written if a path that stands in the code is that of a key."""
    if isinstance(node, ast.Constant) and _PATH.fullmatch(str(node.value)):
        yield _leaf(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield from _ends(node)


def _written_keys(node: ast.AST) -> Iterator[str | None]:
    """The last names of what a mapping sets; None for what only the run knows."""
    match node:
        case ast.Call(func=ast.Attribute(attr="create"), args=[ast.Dict() as inner]):
            yield from _written_keys(inner)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                name = python_tree.text(key) if key is not None else None
                if isinstance(value, ast.Dict) and name is not None and "." not in name:
                    yield from _written_keys(value)
                else:
                    yield name
        case _:
            yield None


def _writes_by_variable(node: ast.Call) -> bool:
    """`OmegaConf.update(config, path, value)`, where a variable has the path."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="OmegaConf"), attr="update"),
            args=[_, ast.Name(), _, *_],
        ):
            return True
    return False


def _ends(node: ast.JoinedStr) -> Iterator[str]:
    """What a text that is put together may write: a name, or any in a mapping."""
    text = "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
    if _FORMAT.fullmatch(text):
        above, _, leaf = text.rpartition(".")
        if "{" not in leaf:
            yield leaf
        else:
            yield f"{above.rpartition('.')[2]}."
