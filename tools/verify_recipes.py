"""Put every launch script of the guide before verl's own start-up code, without a GPU.

`make verify-recipes` runs it. The first time it builds an environment with verl in
build/verify-recipes. tools/launch_scripts.py finds out what a script starts, tools/verl_judge.py
follows that through verl up to the first batch, and docs/recipes/verified.json keeps what was
accepted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from dataclasses import asdict
from pathlib import Path
from typing import Any

from launch_scripts import ROOT, Command, NoCommand, all_scripts, command_of, name_of

RECORD = ROOT / "docs/recipes/verified.json"
CONSTRAINTS = ROOT / "tools/verify-recipes-constraints.txt"
BUILD = ROOT / "build/verify-recipes"
PYTHON = BUILD / "venv/bin/python"
READY = BUILD / "ready"
_PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RELEASE: str = _PYPROJECT["tool"]["snippet-checker"]["verl"]

# What verl's configuration and start-up code imports. Where pip knows no build of PyTorch for the
# CPU alone, it takes the one from PyPI, with several gigabytes of CUDA libraries.
PACKAGES = [
    *("accelerate", "aiohttp", "cachetools", "codetiming", "datasets", "dill", "fastapi"),
    *("hydra-core", "numpy", "pandas", "peft", "pillow", "psutil", "pyarrow", "ray"),
    *("tensordict", "torch", "torchdata", "transformers", "uvicorn"),
]
# Their own requirements are CUDA libraries, inference engines and the like.
WITHOUT_REQUIREMENTS = ["TransferQueue", "megatron-core", "msgspec", "pyzmq", f"verl=={RELEASE}"]
_TELLING = ("hydra-core", "megatron-core", "omegaconf", "torch", "transformers")


class Trouble(Exception):
    """Something that is no fault of a script: said in words, exit status 2."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("script", nargs="*", type=Path, help="judge these, and record nothing")
    parser.add_argument("--check", action="store_true", help="compare the record, change nothing")
    options = parser.parse_args()
    try:
        make_environment()
        accepted = verify(options.script or all_scripts())
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 2
    missing = len(options.script or all_scripts()) - len(accepted)
    print(f"{len(accepted)} accepted by verl {RELEASE}, {missing} not")
    same = options.script or keep(record(accepted), check=options.check)
    return 0 if same and not missing else 1


def verify(scripts: list[Path]) -> dict[str, list[str]]:
    """Judge and report each script; the steps of those that verl accepts."""
    commands = []
    for script in scripts:
        try:
            commands.append(command_of(script))
        except NoCommand as reason:
            print(f"{name_of(script)}: not judged\n  {reason}")
    verdicts = judge(commands)
    for verdict in verdicts:
        print(told(verdict))
    return {v["name"]: v["steps"] for v in verdicts if v["refusal"] is None}


def told(verdict: dict[str, Any]) -> str:
    refusal = verdict["refusal"]
    if refusal is None:
        return f"{verdict['name']}: accepted"
    words = refusal["words"].replace("\n", "\n    ")
    where = f" ({refusal['where']})" if refusal["where"] else ""
    return f"{verdict['name']}: refused\n  in: {refusal['step']}{where}\n    {words}"


# -- The environment ---------------------------------------------------------------------------


def make_environment() -> None:
    """Install verl and what it imports, unless that has been done."""
    if READY.exists() and READY.read_text("utf-8") == wanted():
        return
    print(f"Installing verl {RELEASE} into {PYTHON.parents[1].relative_to(ROOT)} …", flush=True)
    shutil.rmtree(BUILD, ignore_errors=True)
    venv.create(PYTHON.parents[1], with_pip=True)
    _pip_install(*PACKAGES)
    _pip_install("--no-deps", *WITHOUT_REQUIREMENTS)
    READY.write_text(wanted(), "utf-8")


def wanted() -> str:
    """What the environment is made of; when that changes, it is made anew."""
    packages = [*PACKAGES, *WITHOUT_REQUIREMENTS]
    return "\n".join([sys.version, *packages, CONSTRAINTS.read_text("utf-8")])


def _pip_install(*arguments: str) -> None:
    pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "-c", CONSTRAINTS, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise Trouble(f"pip could not install verl's environment:\n{done.stderr.strip()}")


# -- verl's verdict ----------------------------------------------------------------------------


def judge(commands: list[Command]) -> list[dict[str, Any]]:
    """One verdict a command, from tools/verl_judge.py."""
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        done = subprocess.run(
            [PYTHON, ROOT / "tools/verl_judge.py", folder],
            input="".join(json.dumps(asdict(command)) + "\n" for command in commands),
            env={**os.environ, "PYTHONPATH": "", "PYTHONWARNINGS": "ignore"},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        log = Path(folder, "verl.log")
        if log.exists():
            shutil.copy(log, BUILD)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(verdicts) != len(commands):
        raise Trouble(f"verl's judge broke off; see {(BUILD / 'verl.log').relative_to(ROOT)}")
    return verdicts


# -- The record --------------------------------------------------------------------------------


def record(accepted: dict[str, list[str]]) -> str:
    """What docs/recipes/verified.json has to say."""
    pins = dict(
        line.split("==") for line in CONSTRAINTS.read_text("utf-8").splitlines() if "==" in line
    )
    content = {
        "packages": {name: pins[name] for name in _TELLING},
        "scripts": {
            name: {"sha256": digest(ROOT / name), "steps": steps}
            for name, steps in sorted(accepted.items())
        },
        "verl": RELEASE,
    }
    return json.dumps(content, indent=2) + "\n"


def digest(script: Path) -> str:
    return hashlib.sha256(script.read_bytes()).hexdigest()


def keep(text: str, *, check: bool) -> bool:
    """Write the record, or with `check` say whether it is the present one."""
    if not check:
        RECORD.write_text(text, "utf-8")
        return True
    if RECORD.exists() and RECORD.read_text("utf-8") == text:
        return True
    print(f"{name_of(RECORD)} says something else; run `make verify-recipes`")
    return False


if __name__ == "__main__":
    raise SystemExit(main())
