"""What a program puts together, without being run."""

from __future__ import annotations

import pytest

from snippet_checker.pipeline import Options, check_text
from snippet_checker.snippets.python_code import read
from snippet_checker.text.words import UNKNOWN
from snippet_checker.work import LONGEST_VALUE, MOST_WORDS, Work
from tests.configured import VERL
from tests.placing import text_at

COMMAND = '["python3", "-m", "verl.trainer.main_ppo", '


def made(text: str) -> list[list[str]]:
    """The words of each list or string that is no part of another one; unsure ones in brackets."""
    program = read(text, Work(len(text)).following)
    assert program is not None
    return [
        [word.text if word.sure else f"[{word.text}]" for word in one.words]
        for one in program.made
        if not one.is_part
    ]


def keys(text: str) -> list[str | None]:
    return [finding.key for finding in check_text("a.py", text, Options(VERL)).findings]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = ['b'] + ['c']", [["b", "c"]]),
        ("a = ['b']\na += ['c', d]", [["b", "c", UNKNOWN]]),
        ("a = ['b']\na = a + ['c']", [["b", "c"]]),
        ("a = ['b']\nc = a.copy() + ['d']", [["b", "d"]]),
        ("a = ['b']\nc = [*a, *list(a), *d]", [["b", "b", UNKNOWN]]),
        ("a = ['b']\nif c:\n  a += ['d']", [["b", "[d]"]]),
        ("a = ['b']\nfor c in d:\n  a.append(f'{c}=1')", [["b", f"[{UNKNOWN}=1]"]]),
        ("if c:\n  a = ['b']\nelse:\n  a = ['c']\na.append('d')", [["b", "d"], ["c", "d"]]),
        ("a = ['b']\nif c:\n  a = ['d']\na.append('e')", [["b", "e"], ["d", "e"]]),
        ("try:\n  a = ['b']\nexcept E:\n  a = ['c']\na += ['d']", [["b", "d"], ["c", "d"]]),
        ("match a:\n  case 1:\n    b = ['c']\nb += ['d']", [["c", "d"]]),
        ("with a:\n  b = ['c']\nb += ['d']", [["c", "d"]]),
        ("a = [*(['b'] if c else ['d', 'e'])]", [["[b]", "[d]", "[e]"]]),
        ("def f(a):\n  a += ['b']", []),
        ("a = ['b']\ndef f(a):\n  a += ['c']", [["b"]]),
        ("a = 'b' 'c' f'{d}' \"e\"", [[f"bc{UNKNOWN}e"]]),
        ("a = 'b ' + str(c) + ' d'", [[f"b {UNKNOWN} d"]]),
        ("a = 'b={} c={d}'.format(1, d=2)", [[f"b={UNKNOWN} c={UNKNOWN}"]]),
        ("a = 'b=%s' % c", [[f"b={UNKNOWN}"]]),
        ("a = 'b c'.split()", [["b", "c"]]),
        ("a = 'b \"c d\"'.split()", [['b "c d"']]),  # which a shell takes apart
        ("a = ' '.join(['b', 'c'])", [["b c"]]),
        ("a = 'b'\nc = [a, a]", [["b", "b"]]),
        ("f('python3', '-m', 'b', g())", [["python3", "-m", "b", UNKNOWN]]),
        ("a = {'b': 1}\nc = [f'{k}={v}' for k, v in a.items()]", [["b"], ["b=1"]]),
        ("a = {'b': 1e-6}\nc = [f'+{k}={v}' for k, v in sorted(a.items())]", [["b"], ["+b=1e-06"]]),
        ("c = [f'{k}={v}' for k, v in {'b': [1, 'd']}.items()]", [["b=[1, 'd']"]]),
        ("c = [f'{k}={v!r}' for k, v in {'b': -1}.items()]", [[f"b={UNKNOWN}"]]),
        ("c = [f'{k}={v}' for k, v in {'b': 0x%s}.items()]" % ("f" * 5000), [[f"b={UNKNOWN}"]]),
        ("c = [f'{k}={v}' for k, v in {'b': d()}.items() if v]", [[f"[b={UNKNOWN}]"]]),
        ("a = 'é\\tb\\x41'", [[UNKNOWN]]),  # an escape whose place is not looked up
    ],
)
def test_what_is_put_together(text: str, words: list[list[str]]) -> None:
    assert made(text) == words


def test_the_places_are_those_of_the_file() -> None:
    text = f'文 = 1; a = {COMMAND}f\'文{{x}}\', """trainer.nnode=1"""]'
    [finding] = check_text("a.py", text, Options(VERL)).findings
    assert text_at(text, finding.span) == "trainer.nnode"


@pytest.mark.parametrize(
    "text",
    [
        "import verl\nconfig.trainer.nnode = 1\n",
        "import verl\nx = ['trainer.nnode=1']\nassert 'actor_rollout_ref.actor.nothing=1' in y\n",
        'KEYS = ("actor_rollout_ref.rollout.n", "verl.trainer.main_ppo", "-m")\n',
        'assert ["-m", "verl.trainer.main_ppo"] == words[3:5]\nx = {"trainer.nnode=1": 1}\n',
        "x = 'Read verl/trainer/main_ppo.py, trainer.nnode=1'\n",
        "from verl.trainer.main_ppo import run_ppo\nrun_ppo(config)\nconfig.trainer.nnode = 1\n",
        "with initialize(config_path='config'):\n  c = compose('verl', ['verl.nothing=1'])\n",
        "verl\0",
    ],
)
def test_a_program_without_a_hard_sign_has_no_findings(text: str) -> None:
    assert keys(text) == []


def test_a_list_is_judged_when_it_is_whole() -> None:
    start = f"a = {COMMAND[:-2]}]\n"
    offload = "['actor_rollout_ref.actor.megatron.param_offload=True']\n"
    assert keys(f"{start}run(a + {offload})") == ["actor_rollout_ref.actor.megatron.param_offload"]
    assert keys(f"{start}a += {offload}a += ['model_engine=megatron']\nrun(a)") == []


COMPOSE = "with initialize_config_module('verl.trainer.config'):\n  c = compose(config_name='{}'"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            ", overrides=['actor_rollout_ref.actor.nothing=1'])",
            ["actor_rollout_ref.actor.nothing"],
        ),
        (")\nc.actor_rollout_ref.actor.nothing = 1", ["actor_rollout_ref.actor.nothing"]),
        (")\nc.actor_rollout_ref.actor.use_dynamic_bsz = True", []),
        (")\nd.actor_rollout_ref.actor.nothing = 1", []),
        (")\ndef f(c):\n  pass\nc = c.x\nc.actor_rollout_ref.actor.nothing = 1", []),
        (")\nwith raises(E):\n  c.actor_rollout_ref.actor.nothing = 1", []),
    ],
)
def test_a_config_that_is_composed(text: str, found: list[str]) -> None:
    assert keys(COMPOSE.format("ppo_trainer") + text) == found


INSIDE = "import verl\n{before}initialize_config_dir(config_dir={folder}, version_base=None)\n"
JOINED = "os.path.join(os.path.dirname(verl.__file__), 'trainer', 'config')"


@pytest.mark.parametrize(
    ("before", "folder", "is_verls"),
    [
        ("", JOINED, True),
        (f"p = {JOINED}\n", "p", True),
        (f"def where():\n  p = {JOINED}\n  return p\np = where()\n", "p", True),
        (f"def where():\n  return {JOINED}\n", "where()", True),
        ("", JOINED.replace("verl", "acme"), False),
        (f"p = {JOINED}\np = 'conf'\n", "p", False),
        (f"def where():\n  return {JOINED}\n", "other()", False),
        ("p = p\n", "p", False),
    ],
)
def test_a_folder_that_a_program_puts_together(before: str, folder: str, is_verls: bool) -> None:
    text = INSIDE.format(before=before, folder=folder)
    text += "given = ['actor_rollout_ref.actor.nothing=1']\n"
    text += "c = compose(config_name='ppo_trainer', overrides=given)\n"
    assert keys(text) == ["actor_rollout_ref.actor.nothing"] * is_verls


LOADED = "  c = compose('ppo_trainer', ['actor_rollout_ref.actor.nothing=1'])\n"
FUNCTION = """\
def folder():
    import verl
    path = os.path.dirname(verl.__file__)
    path_of_configs = os.path.join(path, "trainer", "config")
    return path_of_configs
"""
PATH = "path = folder()\nwith initialize_config_dir(config_dir=path):\n"
INLINE = "Path(verl.__file__).parent / 'trainer' / 'config'"


@pytest.mark.parametrize(
    ("text", "is_verls"),
    [
        (FUNCTION + PATH, True),
        ("path = other\n" + FUNCTION + PATH.replace("path", "here"), True),
        (FUNCTION.replace('"config"', '"configs"') + PATH, False),
        (FUNCTION.replace("verl", "mine") + PATH, False),
        (FUNCTION + "path = 'mine'\n" + PATH, False),  # nobody knows which
        (FUNCTION + "    return 'mine'\n" + PATH, False),
        (f"with hydra.initialize_config_dir(str({INLINE})):\n", True),
        (
            "with initialize_config_dir(f'{os.path.dirname(verl.__file__)}/trainer/config'):\n",
            True,
        ),
        ("with initialize_config_dir(str(files('verl') / 'trainer/config')):\n", True),
        ("with initialize_config_dir(str(files('mine') / 'trainer/config')):\n", False),
        (f"model.initialize()\nwith initialize_config_dir({INLINE}):\n", True),
        (f"initialize('config')\nwith initialize_config_dir({INLINE}):\n", False),
        ("def f(path):\n initialize_config_dir(path)\nif f('verl/trainer/config'):\n", False),
        ("path = path\nwith initialize_config_dir(path):\n", False),
    ],
)
def test_the_folder_that_hydra_gets(text: str, is_verls: bool) -> None:
    found = ["actor_rollout_ref.actor.nothing"] if is_verls else []
    assert keys(text + LOADED) == found


@pytest.mark.parametrize(
    "text",
    [
        "a = ['b']\n" + "a = a + a\n" * 60,
        "a = 'b'\n" + "a += a\n" * 60,
        "a = ['b']\n" + "a = [*a, *a]\n" * 60,
        "a = ['b']\n" + "if c:\n  a = a + ['d']\n" * 500,
        "a = ['b']\n" + "a = a + ['']\n" * 5_000,
    ],
)
def test_what_grows_without_end_is_unknown(text: str) -> None:
    program = read(text, Work(len(text)).following)
    assert program is not None
    kept = [word for one in program.made for word in one.words]
    assert all(len(word.text) <= LONGEST_VALUE for word in kept)
    assert all(len(one.words) <= MOST_WORDS for one in program.made)
    assert len(kept) < 20 * len(text) + 600_000


def test_a_program_that_is_too_long_is_said_to_be() -> None:
    text = f"x = {COMMAND}'trainer.nnode=1']\n" + "y = 1\n" * 200_000
    [finding] = check_text("a.py", text, Options(VERL)).findings
    assert finding.rule == "unchecked-part"


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("a = {'b': 1}\na['c'] = True", ["b=1", "c=True"]),
        ("a = {'b': 1}\na['b'] = None", ["b=None"]),
        ("a = {'b': 1}\na.update({'c': 'd'})", ["b=1", "c=d"]),
        ("a = {'b': 1}\na |= {'c': 2}", ["b=1", "c=2"]),
        ("d = {'b': 1}\na = {**d, 'c': 2}", ["b=1", "c=2"]),
        ("a = {'b': 1}\nif d:\n  a['b'] = 2", ["b=1", "[b=2]"]),
        ("a = {'b': 1}\na[d] = 2", ["b=1"]),
        ("d = {'b': 1}\na = d\nd['c'] = 2", ["b=1", "c=2"]),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        "f(['x', *[f'{k}={v}' for k, v in a.items()]])",
        "f(['x'] + list(f'{k}={v}' for k, v in a.items()))",
        "y = ['x']\ny.extend(f'{k}={v}' for k, v in a.items())",
    ],
)
def test_a_mapping_becomes_overrides(program: str, words: list[str], command: str) -> None:
    assert ["x", *words] in made(f"{program}\n{command}")


def test_a_loop_over_a_mapping_adds_an_override_of_each_entry() -> None:
    loop = "y = ['x']\nfor k, v in a.items():\n  y.append(f'{k}={v}')"
    assert ["x", "[b=1]", "[c=2]"] in made(f"a = {{'b': 1, 'c': 2}}\n{loop}")


def test_mappings_that_take_in_themselves_stay_small() -> None:
    doubled = "\n".join("a = {**a, **a, f'{n}b': 1}" for _ in range(500))
    program = f"a = {{'b': 1}}\n{doubled}\nc = [f'{{k}}={{v}}' for k, v in a.items()]"
    assert sum(len(words) for words in made(program)) < MOST_WORDS
