"""Follows the config of a program of a project's own to what of verl gets it.

Names are followed from the function that Hydra calls: to the functions and classes of its module,
and of the modules of the project that it imports. Nothing of it is run, so a branch counts where a
word in its condition says whether it is taken, or where both of its sides name the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from snippet_checker.projects.config_flow import (
    CALLED,
    NO_FLOW,
    OTHER_RUNNER,
    OWN,
    PROGRAM,
    RUNNER,
    TRAINER,
    VALIDATION,
    WITHOUT_CRITIC,
    ConfigFlow,
    Reached,
    WordCondition,
)
from snippet_checker.projects.config_writes import ConfigWrites, is_config, is_workers_part
from snippet_checker.projects.files import ProjectFiles
from snippet_checker.projects.inheritance import Inheritance, replaced_by
from snippet_checker.projects.modules import Definition, Modules, Scope, by_name, imports_of
from snippet_checker.projects.own_checks import OwnCheck, checks_in, named_in
from snippet_checker.text import python_tree
from snippet_checker.verl.release import Release
from snippet_checker.work import Budget, TooMuchWork

_MOST_STEPS = 400_000  # nodes of code that are looked at for one program
_FILES = frozenset({"train_files", "val_files"})
_ALWAYS: frozenset[WordCondition] = frozenset()
_NOTHING: Reached = frozenset()


def config_flow(
    program: str, folders: Sequence[str], files: ProjectFiles, release: Release
) -> ConfigFlow:
    """What gets the config of a program; `folders` are those that modules are imported from."""
    return _Walk(folders, files, release).flow_of(program)


class _Walk:
    """Goes over the code that a program may run, and notes what it does to the config."""

    def __init__(self, folders: Sequence[str], files: ProjectFiles, release: Release) -> None:
        self._steps = Budget("following a program", _MOST_STEPS, _MOST_STEPS)
        self._modules = Modules(folders, files, release)
        self._inheritance = Inheritance(self._modules, self._steps)
        self._writes = ConfigWrites()
        self._done: dict[tuple[str, str, frozenset[str]], Reached] = {}
        self._checks: dict[str, tuple[OwnCheck, ...]] = {}
        self._branches: dict[tuple[str, str, tuple[str, str]], frozenset[WordCondition]] = {}

    def flow_of(self, program: str) -> ConfigFlow:
        module = self._modules.at(program)
        if module is None:
            return NO_FLOW
        try:
            starts = [one for one in module.defined.values() if _is_start(one)]
            reached = self._reached_in_all(starts, Scope(module, {}))
        except (RecursionError, TooMuchWork):
            return NO_FLOW
        written, gives_data = self._writes.keys(self._modules), _gives_data(module.tree)
        return ConfigFlow(reached, written, self._writes.is_remade, gives_data, self._checks)

    def _reached_by(self, meant: Definition | str) -> Reached:
        """What is come to where a name is used."""
        if isinstance(meant, str):
            return _always([meant, *self._inheritance.of_verl(meant)])
        return self._reached_by_own(meant, frozenset())

    def _reached_by_own(self, own: Definition, replaced: frozenset[str]) -> Reached:
        asked = own.module.file, own.name, replaced
        if asked not in self._done:
            self._done[asked] = _NOTHING  # while it is being read
            if isinstance(own.node, ast.ClassDef):
                self._done[asked] = self._reached_by_class(own, own.node, replaced)
            else:
                self._done[asked] = self._reached_in(own.node, Scope(own.module, {}))
        return self._done[asked]

    def _reached_by_class(
        self, own: Definition, node: ast.ClassDef, replaced: frozenset[str]
    ) -> Reached:
        kept = (one for one in node.body if getattr(one, "name", None) not in replaced)
        reached = self._reached_in_all(kept, Scope(own.module, {}))
        names = self._inheritance.of_verl(own, replaced)
        reached |= _always([*names, self._own_name(own, replaced)])
        replaced |= replaced_by(node)
        for base in self._inheritance.bases(own):
            if isinstance(base, Definition):
                reached |= self._reached_by_own(base, replaced)
        return reached

    def _own_name(self, own: Definition, replaced: frozenset[str]) -> str:
        """The name of something of the project's own, of which the checks are noted."""
        name = f"{OWN}{own.module.file}:{own.name}:{','.join(sorted(replaced))}"
        if name not in self._checks:
            self._checks[name] = tuple(checks_in(own.node, replaced))
        return name

    def _reached_in(self, node: ast.AST, scope: Scope) -> Reached:
        """What is come to in a piece of code."""
        self._steps.spend(1)
        match node:
            case ast.If() | ast.IfExp():
                return self._reached_in_branches(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inside = by_name(self._imports(node, scope.module.file))
                self._note_branches(node, scope.module.file, frozenset())
                scope = Scope(scope.module, {**scope.imported, **inside})
            case ast.Name():
                return self._reached_by_name(node, scope) | self._reached_by_branch(node, scope)
            case ast.Attribute():
                self._writes.note_target(node)
                if reached := self._reached_by_name(node, scope):
                    return reached
            case (
                ast.AugAssign(target=target, value=value)
                | ast.Assign(targets=[target], value=value)
            ) if is_workers_part(target) and not isinstance(value, ast.Constant):
                return self._reached_in(value, scope)
            case ast.Subscript():
                self._writes.note_target(node)
            case ast.Call():
                return self._reached_in_call(node, scope)
        return self._reached_in_all(ast.iter_child_nodes(node), scope)

    def _reached_by_name(self, node: ast.Name | ast.Attribute, scope: Scope) -> Reached:
        return _NOTHING.union(*map(self._reached_by, self._modules.meant_by(node, scope)))

    def _imports(self, node: ast.AST, file: str) -> Iterator[tuple[str, tuple[str, str]]]:
        for one in ast.walk(node):
            self._steps.spend(1)
            yield from imports_of(one, file)

    def _note_branches(self, node: ast.AST, file: str, around: frozenset[WordCondition]) -> None:
        """Under which conditions an import gives a name, where words decide about it."""
        self._steps.spend(1)
        for name, source in imports_of(node, file):
            self._branches.setdefault((file, name, source), around)
        if not isinstance(node, ast.If):
            for one in ast.iter_child_nodes(node):
                self._note_branches(one, file, around)
            return
        condition = _condition(node.test)
        if condition is not None:
            for part, under in ((node.body, condition), (node.orelse, condition.opposite)):
                for one in part:
                    self._note_branches(one, file, around | {under})

    def _reached_by_branch(self, node: ast.Name, scope: Scope) -> Reached:
        """What a name is that verl gives in one branch, and the project in another."""
        sources = scope.imported.get(node.id, [])
        found = _NOTHING
        for source in sources if len(sources) > 1 else ():
            conditions = self._branches.get((scope.module.file, node.id, source))
            if conditions:
                alone = Scope(scope.module, {node.id: [source]})
                for meant in self._modules.meant_by(node, alone):
                    found |= {(name, met | conditions) for name, met in self._reached_by(meant)}
        return found

    def _reached_in_all(self, nodes: Iterable[ast.AST], scope: Scope) -> Reached:
        return _NOTHING.union(*(self._reached_in(one, scope) for one in nodes))

    def _reached_in_branches(self, node: ast.If | ast.IfExp, scope: Scope) -> Reached:
        one, other = (
            self._reached_in_all(part if isinstance(part, list) else [part], scope)
            for part in (node.body, node.orelse)
        )
        found = self._reached_in(node.test, scope)
        condition = _condition(node.test)
        if condition is not None:
            return found | _under(condition, one) | _under(condition.opposite, other)
        if isinstance(node, ast.If):
            if _is_default(node) or _only_raises(node.orelse):
                return found | one
            if _only_raises(node.body):
                return found | other
        both = {name for name, _ in one} & {name for name, _ in other}
        return found | {item for item in one | other if item[0] in both}

    def _reached_in_call(self, node: ast.Call, scope: Scope) -> Reached:
        found = self._reached_in_all(ast.iter_child_nodes(node), scope)
        self._writes.note_call(node)
        given = [*node.args, *(word.value for word in node.keywords)]
        if not any(map(is_config, given)):
            return found
        meant = self._modules.meant_by(node.func, scope)
        verls = {name for one in meant for name in self._inheritance.of_verl(one)}
        if PROGRAM in verls and len(given) > 1:  # with a runner of its own
            verls = {*(verls - {PROGRAM}), *self._runners(given, scope)}
        classes = (pair for one in meant for pair in self._inheritance.of_project(one))
        found |= _always(self._own_name(*pair) + CALLED for pair in classes)
        ends = WITHOUT_CRITIC if _says_no_critic(node) else CALLED
        return found | _always(name + ends for name in verls)

    def _runners(self, given: Sequence[ast.AST], scope: Scope) -> Iterator[str]:
        """What gets the config where a runner of verl's is handed in, or one built on it."""
        inner = (one for value in given for one in ast.walk(value))
        meant = (one for node in inner for one in self._modules.meant_by(node, scope))
        verls = {name for one in meant for name in self._inheritance.of_verl(one)}
        if RUNNER in verls:
            yield PROGRAM
        elif OTHER_RUNNER in verls:
            yield from (VALIDATION, TRAINER)


def _always(names: Iterable[str]) -> Reached:
    return frozenset((name, _ALWAYS) for name in names)


def _gives_data(tree: ast.Module) -> bool:
    """Whether a program passes on a dataset, and does not read which files are set for it."""
    return any(
        isinstance(node, ast.keyword)
        and node.arg == "train_dataset"
        and isinstance(node.value, ast.Name)
        for node in ast.walk(tree)
    ) and _FILES.isdisjoint(named_in(tree))


def _is_start(node: ast.AST) -> bool:
    """Whether Hydra calls a function with the config."""
    if not isinstance(node, ast.FunctionDef):
        return False
    names = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any(python_tree.last_name(name) == "main" for name in names)


def _condition(test: ast.expr) -> WordCondition | None:
    """What a comparison with words asks for."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return None
    words = _words(test.comparators[0])
    match test.ops[0]:
        case ast.Eq() | ast.In() if words:
            return WordCondition(words, holds=True)
        case ast.NotEq() | ast.NotIn() if words:
            return WordCondition(words, holds=False)
    return None


def _words(node: ast.expr) -> frozenset[str]:
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    texts = [*map(python_tree.text, items)]
    return frozenset(text for text in texts if text is not None) if all(texts) else frozenset()


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


def _under(condition: WordCondition, found: Reached) -> Reached:
    return frozenset((name, conditions | {condition}) for name, conditions in found)


def _says_no_critic(node: ast.Call) -> bool:
    return any(
        word.arg == "use_critic" and isinstance(word.value, ast.Constant) and not word.value.value
        for word in node.keywords
    )
