"""What of verl gets the config of a program of a project's own, read with `ast`.

Names are followed from the function that Hydra calls: to the functions and classes of its module,
and of the modules of the project that it imports. Nothing of it is run, so a branch counts where a
word in its condition says whether it is taken, or where both of its sides name the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.modules import Modules, Own, Scope, by_name, imports_of
from snippet_checker.projects.own_checks import OwnCheck, checks_in, named_in
from snippet_checker.text import python_tree
from snippet_checker.verl.release import Release

TRAINER = "verl.trainer.ppo.ray_trainer.RayPPOTrainer"
VALIDATION = "verl.utils.config.validate_config"
PROGRAM = "verl.trainer.main_ppo.run_ppo"
RUNNER = "verl.trainer.main_ppo.TaskRunner"
OTHER_RUNNER = "verl.trainer.main_ppo_v0.TaskRunner"
"""The runner for the trainer before the first version of the new one, from 0.9.0 on."""
RUNNERS_WORKERS = f"{RUNNER}.add_actor_rollout_worker"
"""The method of the runner that says which workers there are."""
WORKER_GROUPS = (
    "verl.single_controller.ray.RayClassWithInitArgs",
    "verl.single_controller.ray.base.RayClassWithInitArgs",
)
"""What a trainer starts its workers with."""
TRAINERS_WORKERS = f"{TRAINER}.init_workers"
"""The method of the trainer that builds what its workers get."""
CALLED = "()"
"""Stands behind a name that is called with the config."""
WITHOUT_CRITIC = "(no critic)"
"""Stands behind the name of the validation where the call says that there is no critic."""

_REPLACED = {
    TRAINER: ("__init__", "_validate_config"),
    RUNNER: ("__init__", "run", "add_actor_rollout_worker", "add_critic_worker"),
    OTHER_RUNNER: ("__init__", "run", "add_actor_rollout_worker", "add_critic_worker"),
}
_REPLACED_OF_WORKERS = ("__init__", "init_model", "_build_model_optimizer", "_build_rollout")
_CONFIG = re.compile(r"(?:^|_)(?:config|cfg|conf)$")
_PART = "actor_rollout_ref"  # of the config, which workers get
_MOST_STEPS = 400_000  # nodes of code that are looked at for one program
_MAKERS = frozenset({"merge", "merge_with", "unsafe_merge", "update"})
_WORKERS_PARTS = {("config", part) for part in ("actor", "ref", "rollout")}
_FILES = frozenset({"train_files", "val_files"})
_OWN = "own:"
"""Stands before a class or function of the project's own that is named or called."""
_FORMAT = re.compile(r"[\w{}]+(?:\.[\w{}]+)+")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")


class Condition(Struct, frozen=True):
    """That one of some words is what a value is compared with, or that none is."""

    words: frozenset[str]
    holds: bool

    def is_met(self, words: Collection[str]) -> bool:
        return self.words.isdisjoint(words) != self.holds


Found: TypeAlias = frozenset[tuple[str, frozenset[Condition]]]
"""Names of verl's, each with the conditions under which the program comes to it."""

_NOTHING: Found = frozenset()


class HandedOn(Struct, frozen=True):
    """The names of verl's that a program comes to, and what it does to the config on the way.

    `changed` are the last names of keys that it writes; one that ends in a dot stands for all in a
    mapping of that name. One that `is_remade` is merged with others there, and nothing is known of
    it. One that `gives_data` has a dataset of its own. `checks` are what the code of the project's
    own refuses, by the names of its functions and classes in `found`.
    """

    found: Found = _NOTHING
    changed: frozenset[str] = frozenset()
    is_remade: bool = False
    gives_data: bool = False
    checks: Mapping[str, tuple[OwnCheck, ...]] = MappingProxyType({})

    def changes(self, key: str) -> bool:
        """Whether a key may have another value when verl gets the config."""
        parent, _, leaf = key.rpartition(".")
        return leaf in self.changed or f"{parent.rpartition('.')[2]}." in self.changed

    def own_checks(self, words: Collection[str], *, called: bool) -> Iterator[OwnCheck]:
        """What refuses something in the code that is called with the config, or is only named."""
        for name in self.names(words):
            if name.startswith(_OWN) and name.endswith(CALLED) is called:
                yield from self.checks.get(name.removesuffix(CALLED), ())

    def names(self, words: Collection[str]) -> frozenset[str]:
        """What the program comes to, if the words are the values of its config."""
        if self.is_remade:
            return frozenset()
        return frozenset(
            name for name, conditions in self.found if all(one.is_met(words) for one in conditions)
        )


NOTHING = HandedOn()


def handed_on(
    program: str, folders: Sequence[str], files: ProjectFiles, release: Release
) -> HandedOn:
    """What gets the config of a program; `folders` are those that modules are imported from."""
    return _Walk(folders, files, release).of(program)


class _TooMuch(Exception):
    """The code of a program is too much to be followed."""


class _Walk:
    def __init__(self, folders: Sequence[str], files: ProjectFiles, release: Release) -> None:
        self._modules = Modules(folders, files, release)
        self._done: dict[tuple[str, str, frozenset[str]], Found] = {}
        self._changed: set[str] = set()
        self._is_remade = False
        self._writes_by_variable = False
        self._checks: dict[str, tuple[OwnCheck, ...]] = {}
        self._branches: dict[tuple[str, str, tuple[str, str]], frozenset[Condition]] = {}
        self._left = _MOST_STEPS

    def of(self, program: str) -> HandedOn:
        module = self._modules.at(program)
        if module is None:
            return NOTHING
        try:
            starts = [one for one in module.defined.values() if _is_start(one)]
            found = frozenset().union(*(self._in(one, Scope(module, {})) for one in starts))
        except (RecursionError, _TooMuch):
            return NOTHING
        if self._writes_by_variable:
            self._note_paths()
        changed, gives_data = frozenset(self._changed), _gives_data(module.tree)
        return HandedOn(found, changed, self._is_remade, gives_data, self._checks)

    def _pay(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TooMuch

    # What the code names

    def _of(self, meant: Own | str) -> Found:
        """What is come to where a name is used."""
        if isinstance(meant, str):
            return frozenset((name, frozenset()) for name in (meant, *self._kinds(meant)))
        return self._of_own(meant, frozenset())

    def _of_own(self, own: Own, replaced: frozenset[str]) -> Found:
        asked = own.module.file, own.name, replaced
        if asked not in self._done:
            self._done[asked] = _NOTHING  # while it is being read
            scope = Scope(own.module, {})
            if isinstance(own.node, ast.ClassDef):
                self._done[asked] = self._of_class(own, replaced)
            else:
                self._done[asked] = self._in(own.node, scope)
        return self._done[asked]

    def _of_class(self, own: Own, replaced: frozenset[str]) -> Found:
        node, scope = own.node, Scope(own.module, {})
        assert isinstance(node, ast.ClassDef)
        kept = (one for one in node.body if getattr(one, "name", None) not in replaced)
        found = set().union(*(self._in(one, scope) for one in kept))
        found.update((name, frozenset()) for name in self._kinds(own, replaced))
        found.add((self._own(own, replaced), frozenset()))
        replaced |= frozenset(_replacing(node))
        for base in self._bases(own):
            if isinstance(base, Own):
                found |= self._of_own(base, replaced)
        return frozenset(found)

    def _bases(self, own: Own) -> Iterator[Own | str]:
        if isinstance(own.node, ast.ClassDef):
            for base in own.node.bases:
                yield from self._modules.meant_by(base, Scope(own.module, {}))

    def _kinds(
        self, meant: Own | str, replaced: frozenset[str] = frozenset(), left: int = 8
    ) -> Iterator[str]:
        """The classes and functions of verl's that something is, or is built on unchanged."""
        self._pay()
        if isinstance(meant, str):
            if replaced.isdisjoint(_replaceable(meant)):
                yield meant
            if meant in (RUNNER, OTHER_RUNNER) and "add_actor_rollout_worker" not in replaced:
                yield RUNNERS_WORKERS
            if meant == TRAINER and "init_workers" not in replaced:
                yield TRAINERS_WORKERS
        elif isinstance(meant.node, ast.ClassDef) and left:
            replaced |= frozenset(_replacing(meant.node))
            for base in self._bases(meant):
                yield from self._kinds(base, replaced, left - 1)

    def _own_kinds(
        self, meant: Own | str, replaced: frozenset[str] = frozenset(), left: int = 8
    ) -> Iterator[str]:
        """A function of the project's own, or a class and what it is built on there."""
        self._pay()
        if isinstance(meant, Own) and left:
            yield self._own(meant, replaced)
            if isinstance(meant.node, ast.ClassDef):
                replaced |= frozenset(_replacing(meant.node))
                for base in self._bases(meant):
                    yield from self._own_kinds(base, replaced, left - 1)

    def _own(self, own: Own, replaced: frozenset[str]) -> str:
        """The name of something of the project's own, of which the checks are noted."""
        name = f"{_OWN}{own.module.file}:{own.name}:{','.join(sorted(replaced))}"
        if name not in self._checks:
            self._checks[name] = tuple(checks_in(own.node, replaced))
        return name

    def _in(self, node: ast.AST, scope: Scope) -> Found:
        """What is come to in a piece of code."""
        self._pay()
        match node:
            case ast.If() | ast.IfExp():
                return self._in_branches(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inside = by_name(self._imports(node, scope.module.file))
                self._note_branches(node, scope.module.file, frozenset())
                scope = Scope(scope.module, {**scope.imported, **inside})
            case ast.Name() | ast.Attribute():
                self._note_change(node)
                found = _NOTHING.union(*map(self._of, self._modules.meant_by(node, scope)))
                found |= self._by_branch(node, scope)
                if found or isinstance(node, ast.Name):
                    return found
            case (
                ast.AugAssign(target=target, value=value)
                | ast.Assign(targets=[target], value=value)
            ) if _is_workers_part(target) and not isinstance(value, ast.Constant):
                return self._in(value, scope)
            case ast.Subscript():
                self._note_change(node)
            case ast.Call():
                return self._in_call(node, scope)
        return self._in_all(ast.iter_child_nodes(node), scope)

    def _imports(self, node: ast.AST, file: str) -> Iterator[tuple[str, tuple[str, str]]]:
        for one in ast.walk(node):
            self._pay()
            yield from imports_of(one, file)

    def _note_branches(self, node: ast.AST, file: str, around: frozenset[Condition]) -> None:
        """Under which conditions an import gives a name, where words decide about it."""
        self._pay()
        for name, source in imports_of(node, file):
            self._branches.setdefault((file, name, source), around)
        if not isinstance(node, ast.If):
            for one in ast.iter_child_nodes(node):
                self._note_branches(one, file, around)
            return
        condition = _condition(node.test)
        if condition is not None:
            opposite = Condition(condition.words, not condition.holds)
            for part, under in ((node.body, condition), (node.orelse, opposite)):
                for one in part:
                    self._note_branches(one, file, around | {under})

    def _by_branch(self, node: ast.AST, scope: Scope) -> Found:
        """What a name is that verl gives in one branch, and the project in another."""
        sources = scope.imported.get(node.id, []) if isinstance(node, ast.Name) else []
        if not isinstance(node, ast.Name) or len(sources) < 2:
            return _NOTHING
        found = _NOTHING
        for source in sources:
            conditions = self._branches.get((scope.module.file, node.id, source))
            if conditions:
                alone = Scope(scope.module, {node.id: [source]})
                for meant in self._modules.meant_by(node, alone):
                    found |= {(name, met | conditions) for name, met in self._of(meant)}
        return found

    def _in_all(self, nodes: Iterable[ast.AST], scope: Scope) -> Found:
        return frozenset().union(*(self._in(one, scope) for one in nodes))

    def _in_branches(self, node: ast.If | ast.IfExp, scope: Scope) -> Found:
        one, other = (
            self._in_all(part if isinstance(part, list) else [part], scope)
            for part in (node.body, node.orelse)
        )
        found = self._in(node.test, scope)
        condition = _condition(node.test)
        if condition is not None:
            opposite = Condition(condition.words, not condition.holds)
            return found | _under(condition, one) | _under(opposite, other)
        if isinstance(node, ast.If):
            if _is_default(node) or _only_raises(node.orelse):
                return found | one
            if _only_raises(node.body):
                return found | other
        both = {name for name, _ in one} & {name for name, _ in other}
        return found | {item for item in one | other if item[0] in both}

    def _in_call(self, node: ast.Call, scope: Scope) -> Found:
        found = self._in_all(ast.iter_child_nodes(node), scope)
        self._note_remaking(node)
        given = [*node.args, *(word.value for word in node.keywords)]
        if not any(map(_is_config, given)):
            return found
        meant = self._modules.meant_by(node.func, scope)
        kinds = {kind for one in meant for kind in self._kinds(one)}
        if PROGRAM in kinds and len(given) > 1:  # with a runner of its own
            kinds = {*(kinds - {PROGRAM}), *self._runners(given, scope)}
        own = {name + CALLED for one in meant for name in self._own_kinds(one)}
        found |= {(name, frozenset()) for name in own}
        ends = WITHOUT_CRITIC if _says_no_critic(node) else CALLED
        return found | {(name + ends, frozenset()) for name in kinds}

    def _runners(self, given: Sequence[ast.AST], scope: Scope) -> Iterator[str]:
        """What gets the config where a runner of verl's is handed in, or one built on it."""
        inner = (one for value in given for one in ast.walk(value))
        meant = (one for node in inner for one in self._modules.meant_by(node, scope))
        kinds = {kind for one in meant for kind in self._kinds(one)}
        if RUNNER in kinds:
            yield PROGRAM
        elif OTHER_RUNNER in kinds:
            yield from (VALIDATION, TRAINER)

    # What it does to the config

    def _note_change(self, node: ast.Attribute | ast.Name | ast.Subscript) -> None:
        if isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Store | ast.Del):
            return
        if isinstance(node, ast.Attribute):
            if python_tree.last_name(node.value) != "self":  # else it is an object's own
                self._changed.add(node.attr)
        elif isinstance(node.slice, ast.Constant):
            self._changed.add(str(node.slice.value).rpartition(".")[2])

    def _note_remaking(self, node: ast.Call) -> None:
        """A config that is merged with another one, or written by a name that is put together."""
        name, texts = python_tree.last_name(node.func), [*map(_text, node.args)]
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        about = [*node.args, *([owner] if owner is not None else [])]
        if name in ("setattr", "update", "pop") and any(texts) and any(map(_is_config, about)):
            self._changed.update(text.rpartition(".")[2] for text in texts if text)
        elif _writes_by_variable(node):
            self._writes_by_variable = True
        elif name == "merge" and [*map(_is_whole_config, node.args[:-1])] == [True]:
            if (keys := [*_written_keys(node.args[-1])]) and all(keys):
                self._changed.update(filter(None, keys))
            else:
                self._is_remade = True
        elif name in (*_MAKERS, "setattr") and any(map(_is_whole_config, about)):
            self._is_remade = True

    def _note_paths(self) -> None:
        """Any path that stands in the code may be the one that a variable names."""
        for node in self._modules.nodes():
            if isinstance(node, ast.Constant) and _PATH.fullmatch(str(node.value)):
                self._changed.add(str(node.value).rpartition(".")[2])
            elif isinstance(node, ast.JoinedStr):
                self._changed.update(_ends(node))


def _gives_data(tree: ast.Module) -> bool:
    """Whether a program hands on a dataset, and does not read which files are set for it."""
    return any(
        isinstance(node, ast.keyword)
        and node.arg == "train_dataset"
        and isinstance(node.value, ast.Name)
        for node in ast.walk(tree)
    ) and _FILES.isdisjoint(named_in(tree))


def _written_keys(node: ast.AST) -> Iterator[str | None]:
    """The last names of what a mapping sets; None for what only the run knows."""
    match node:
        case ast.Call(func=ast.Attribute(attr="create"), args=[ast.Dict() as inner]):
            yield from _written_keys(inner)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                name = _text(key) if key is not None else None
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


def _is_start(node: ast.AST) -> bool:
    """Whether Hydra calls a function with the config."""
    if not isinstance(node, ast.FunctionDef):
        return False
    names = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any(python_tree.last_name(name) == "main" for name in names)


def _replaceable(name: str) -> Sequence[str]:
    """The methods that do what is known of a class: one that has them anew is another."""
    return _REPLACED_OF_WORKERS if name.startswith("verl.workers.") else _REPLACED.get(name, ())


def _replacing(node: ast.ClassDef) -> Iterator[str]:
    """The methods of a class that do not call the one that they replace."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            called = {_called_above(inner) for inner in ast.walk(one)}
            checks = one.name == "__init__" and "_validate_config" in called
            if one.name not in called and not checks:
                yield one.name


def _called_above(node: ast.AST) -> str | None:
    """The method that is called of what a class builds on, or of itself for the validation."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    name, owner = node.func.attr, node.func.value
    is_super = isinstance(owner, ast.Call) and python_tree.last_name(owner.func) == "super"
    is_self = python_tree.last_name(owner) == "self" and name == "_validate_config"
    is_named = name == "__init__" and isinstance(owner, ast.Name) and owner.id[:1].isupper()
    return name if is_super or is_self or is_named else None


def _condition(test: ast.expr) -> Condition | None:
    """What a comparison with words asks for."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return None
    words = _words(test.comparators[0])
    match test.ops[0]:
        case ast.Eq() | ast.In() if words:
            return Condition(words, holds=True)
        case ast.NotEq() | ast.NotIn() if words:
            return Condition(words, holds=False)
    return None


def _words(node: ast.expr) -> frozenset[str]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    texts = [*map(_text, items)]
    return frozenset(text for text in texts if text is not None) if all(texts) else frozenset()


def _text(node: ast.AST) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _is_default(node: ast.If) -> bool:
    """Whether a variable gets what it is by default there: `if runner is None: runner = Task`."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id=tested), ops=[ast.Is()], comparators=[ast.Constant(value=None)]
            ),
            body=[ast.Assign(targets=[ast.Name(id=given)])],
        ):
            return tested == given
    return False


def _only_raises(body: Sequence[ast.stmt]) -> bool:
    """Whether a branch stops the program: then the other one is taken, or nothing is trained."""
    return bool(body) and all(isinstance(one, ast.Raise) for one in body)


def _under(condition: Condition, found: Found) -> Found:
    return frozenset((name, conditions | {condition}) for name, conditions in found)


def _is_config(node: ast.expr) -> bool:
    """Whether an expression is called a config, or is what verl's workers get of it."""
    name = python_tree.last_name(node)
    return name == _PART or bool(_CONFIG.search(name))


def _is_whole_config(node: ast.expr) -> bool:
    return bool(_CONFIG.fullmatch(python_tree.last_name(node)))


def _is_workers_part(node: ast.AST) -> bool:
    """Whether a key is written in what a worker gets, as `self.config.actor.x`.

    verl's workers divide their batches so; nobody else sees it.
    """
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    is_own = isinstance(node, ast.Name) and node.id == "self"
    return is_own and len(names) > 2 and (names[-1], names[-2]) in _WORKERS_PARTS


def _says_no_critic(node: ast.Call) -> bool:
    return any(
        word.arg == "use_critic" and isinstance(word.value, ast.Constant) and not word.value.value
        for word in node.keywords
    )
