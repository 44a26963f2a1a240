"""One command with a wrong key, in the forms that people give it: none hides the key."""

from __future__ import annotations

import json

import pytest

from snippet_checker.pipeline import Options, check_text
from tests.configured import VERL

WORDS = ["algorithm.adv_estimator=grpo", "trainer.nnode=2"]
COMMAND = f"python3 -m verl.trainer.main_ppo {' '.join(WORDS)}"
BEGINNING = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo"
LONG = (
    "python3 -m verl.trainer.main_ppo \\\n    algorithm.adv_estimator=grpo \\\n    trainer.nnode=2"
)
LIST = json.dumps(["python3", "-m", "verl.trainer.main_ppo", *WORDS])
GIVEN = json.dumps(WORDS)

SCRIPTS = [
    f'echo "{COMMAND}" | bash\n',
    f'echo -e "#!/bin/bash\\n{COMMAND}" | sbatch\n',
    f'printf "%s\\n" "{COMMAND}" | ssh host bash\n',
    f'{{\necho "#!/bin/bash"\necho "{COMMAND}"\n}} > train.sh\n',
    f'parallel ::: "{COMMAND}" "sleep 1"\n',
    f"parallel {BEGINNING} {{}} ::: trainer.nnode=2\n",
    f"parallel -j 2 '{COMMAND} data.seed={{1}}' ::: 1 2\n",
    "sbatch train.slurm +actor_rollout_ref.x=1 trainer.nnode=2\n",
    f"tmux send-keys -t a '{COMMAND}' Enter\n",
]
DOCUMENTS = [
    *(f"```{tag}\n{LONG}\n```\n" for tag in ("fish", "ksh", "slurm", "terminal", "cli", "csh")),
    *(f"```{tag}\n{COMMAND}\n```\n" for tag in ("ini", "properties", "env", "groovy", "anything")),
    *(f"```{tag}\n{LONG}\n```\n" for tag in ("yaml", "json", "docker", "make")),
    f"```powershell\n{LONG.replace(chr(92), '`')}\n```\n",
    f"```cmd\n{LONG.replace(chr(92), '^')} ^\n```\n",
    f"```powershell\nPS C:\\verl> {COMMAND}\n```\n",
    # What stands behind a backslash opens no string, and closes none.
    f"```powershell\nPS C:\\verl> {BEGINNING} data.train_files=C:\\verl\\a trainer.nnode=2\n```\n",
    f"```console\n{LONG}\n```\n",
    f"```diff\n-python3 -m verl.trainer.main_ppo a.b=1\n+{COMMAND}\n```\n",
    "```diff\n     data.seed=1 \\\n-    trainer.nnodes=1 \\\n+    trainer.nnode=2 \\\n```\n",
    # The first column of a line that stays is no part of it either.
    f"```diff\n-sleep 1\n {BEGINNING} trainer.nnode\\\n =2\n```\n",
    f"```pycon\n>>> import os\n>>> os.system('{COMMAND}')\n0\n```\n",
    f"```python\n!{COMMAND}\n```\n",
    f"```{{bash, eval=FALSE}}\n{LONG}\n```\n",
    f"````markdown\n```bash\n{LONG}\n```\n````\n",
    f":::tip A title\n\n```bash\n{LONG}\n```\n\n:::\n",
    f"::: code-group\n```bash [A]\n{LONG}\n```\n:::\n",
    f"<details><summary>More</summary>\n```bash\n{LONG}\n```\n</details>\n",
    f"<pre>\n{LONG}\n</pre>\n",
    f'<pre><code class="language-bash">cd verl &amp;&amp; {COMMAND}\n</code></pre>\n',
    # The `&` of a blank ends no command.
    f"<pre>\n{BEGINNING} trainer.project_name=a&nbsp;b trainer.nnode=2\n</pre>\n",
    "".join(f"{'  ' * n}- a\n" for n in range(14)) + f"\n{'  ' * 14}```\n{'  ' * 14}{COMMAND}\n",
]
FILES = [
    ("a.markdown", f"```bash\n{LONG}\n```\n"),
    ("a.qmd", f"```{{bash}}\n{LONG}\n```\n"),
    ("a.Rmd", f"```{{bash, eval=FALSE}}\n{LONG}\n```\n"),
    ("a.adoc", f"= Title\n\n[source,bash]\n----\n{LONG}\n----\n"),
    ("a.adoc", f"Text.\n\n {COMMAND}\n\nText.\n"),
    ("a.adoc", f"[source,cpp]\n----\nint a;\n----\n----\n{COMMAND}\n----\n"),  # in no language
    ("a.asciidoc", f"```sh\n{LONG}\n```\n"),
    ("a.org", f"* Title\n#+BEGIN_SRC bash :results output\n{LONG}\n#+END_SRC\n"),
    ("a.org", f"  : {COMMAND}\n"),
    ("a.fish", f"set -x A 1\n{LONG}\n"),
    ("a.ps1", f"{LONG.replace(chr(92), '`')}\n"),
    ("a.bat", f"@echo off\r\n{COMMAND} data.seed=%SEED%\r\n"),
    ("a.zsh", f"{LONG}\n"),
    ("a.lsf", f"#BSUB -n 8\n{LONG}\n"),
    ("a.jsonc", f'// a\n{{"run": "{COMMAND}"}}\n'),
    ("a.json5", f"{{run: '{COMMAND}'}}\n"),
    ("a.md", f"```json5\n{{run: '{COMMAND}',}}\n```\n"),
    ("a.code-workspace", f'{{"tasks": [{{"command": "{COMMAND}"}}]}}\n'),
    (".env", f"LAUNCH='{COMMAND}'\n"),
    (".env", f"VERL_ARGS='algorithm.adv_estimator=grpo {COMMAND.split()[-1]}'\n"),
    (".env", 'VERL_ARGS="algorithm.adv_estimator=grpo\\ntrainer.nnode=2"\n'),
    (".env.local", f"LAUNCH={COMMAND}\n"),
    ("a.md", f"```dotenv\nLAUNCH={COMMAND}\n```\n"),
    ("a.sh", f"python3 -c \"import os; os.system('{COMMAND}')\"\n"),
    ("a.sh", f"python3 -u -c 'import subprocess; subprocess.run({LIST})'\n"),
    ("a.sh", f"python3 - <<'EOF'\nimport os\nos.system('{COMMAND}')\nEOF\n"),
    ("a.yaml", f"run: |\n  python3 - <<EOF\n  import os\n  os.system('{COMMAND}')\n  EOF\n"),
    ("a.mk", f"train:\n\tpython3 -c \"import os; os.system('{COMMAND}')\"\n"),
    ("run.sh.j2", f"{{% if a %}}\n{COMMAND} data.seed={{{{ seed }}}}\n{{% endif %}}\n"),
    ("tox.ini", f"[testenv]\ncommands = {COMMAND}\n"),
    ("Earthfile", f"train:\n    RUN {COMMAND}\n"),
    ("Earthfile", f"train:\n    RUN B=trainer.nnode=2; {BEGINNING} $B\n"),  # RUN is no command
    ("Jenkinsfile", f"node {{\n  sh '{COMMAND}'\n}}\n"),
    ("Jenkinsfile", f'steps {{\n  sh """\n    {LONG}\n  """\n}}\n'),
    ("Procfile", f"train: {COMMAND}\n"),
    ("Snakefile", f"rule a:\n    shell: '{COMMAND}'\n"),
    ("Vagrantfile", f"a.vm.provision 'shell', inline: <<-SHELL\n  {COMMAND}\nSHELL\n"),
    ("main.nf", f'process a {{\n  """\n  {COMMAND}\n  """\n}}\n'),
    ("image.def", f"Bootstrap: docker\n%runscript\n    {COMMAND}\n"),
    ("a.tex", f"\\begin{{verbatim}}\n{LONG}\n\\end{{verbatim}}\n"),
    ("Dockerfile", f"FROM a\nENV A=1 \\\n    B=trainer.nnode=2\nCMD {BEGINNING} $B\n"),
    ("Dockerfile", f"FROM a\nENV B trainer.nnode=2\nRUN {BEGINNING} ${{B}}\n"),
    ("Dockerfile", f'FROM a\nARG B="trainer.nnode=2"\nRUN {BEGINNING} $B\n'),
    ("Dockerfile", f'FROM a\nENV B=trainer.nnode=2\nCMD ["sh", "-c", "{BEGINNING} $B"]\n'),
    ("Makefile", f"define RUN\n{COMMAND}\nendef\ntrain:\n\t$(RUN)\n"),
    ("Makefile", f"train: data ; {COMMAND}\n"),
    ("Makefile", f".ONESHELL:\ntrain:\n\tB=trainer.nnode=2\n\t{BEGINNING} $$B\n"),
    (".gitlab-ci.yml", f"a:\n  script:\n    - B=trainer.nnode=2\n    - {BEGINNING} $B\n"),
    ("compose.yaml", f"entrypoint: [python3, -m, verl.trainer.main_ppo]\ncommand: {GIVEN}\n"),
    ("a.yaml", f"Entrypoint: python3 -m verl.trainer.main_ppo\nArgs: {' '.join(WORDS)}\n"),
    ("a.json", f'{{"module": "verl.trainer.main_ppo", "args": "{" ".join(WORDS)}"}}\n'),
    ("a.ipy", f"%%time\n!{COMMAND}\n"),
    ("a.ipy", f"%sh\n{COMMAND}\n"),
    ("a.ipy", f"%run -m verl.trainer.main_ppo {' '.join(WORDS)}\n"),
    ("a.py", f"import os\nb = 'trainer.nnode=2'\nos.system(f'{BEGINNING} {{b}}')\n"),
    ("a.py", f"import os\nb = ['trainer.nnode=2']\nos.system(f\"{BEGINNING} {{' '.join(b)}}\")\n"),
    (
        "a.py",
        f"import os\nb = {GIVEN}\nos.system('python3 -m verl.trainer.main_ppo ' + ' '.join(b))\n",
    ),
    (
        "a.py",
        f"from verl.trainer.main_ppo import main\nimport sys\nsys.argv = ['a', *{GIVEN}]\nmain()\n",
    ),
    ("a.py", f"from verl.trainer.main_ppo import main\nimport sys\nsys.argv += {GIVEN}\nmain()\n"),
    (
        "a.py",
        "class A:\n    def __init__(self):\n        self.more = ['trainer.nnode=2']\n"
        "    def run(self):\n"
        "        call(['python3', '-m', 'verl.trainer.main_ppo'] + self.more)\n",
    ),
]
FORMS = [
    *(("a.sh", text) for text in SCRIPTS),
    *(("a.md", text) for text in DOCUMENTS),
    *FILES,
]
START = "python3 -m verl.trainer.main_ppo"
LEFT_ALONE = [
    ("a.md", f"```cpp\n// {COMMAND}\n```\n"),
    ("a.md", "```ini\n[trainer]\nnnode=2\n```\n"),
    ("a.md", "```diff\n-trainer.nnode=2\n+trainer.nnodes=2\n```\n"),
    ("a.md", "<!--\n<pre>\n" + COMMAND + "\n</pre>\n-->\n"),
    ("a.md", f"```console\n$ ls\n{COMMAND}\n```\n"),
    ("a.sh", 'read -r B <<< "$1"\npython3 -m verl.trainer.main_ppo $B trainer.nnodes=1\n'),
    ("a.sh", "B=$(date)\npython3 -m verl.trainer.main_ppo trainer.experiment_name=$B\n"),
    ("a.sh", "\u2028\u2028\npython3 -m verl.trainer.main_ppo trainer.nnodes=1\n"),
    ("a.ini", "[a]\n# verl\ntrainer.nnode=2\n"),
    ("a.adoc", f"++++\n{COMMAND}\n++++\n"),  # HTML, which is passed through
    ("a.adoc", f"////\n{COMMAND}\n////\n"),
    ("a.adoc", f"Text that goes on below:\n  {COMMAND}\n"),  # as text
    ("Procfile", "web: python3 app.py trainer.nnode=2\n"),
    ("a.py", "import sys\nfrom verl.trainer.main_ppo import main\nsys.argv = sys.argv[:1]\n"),
    ("a.py", f'A = "trainer.nnode=2"\nos.system(f"{START} {{A!r}}")\n'),
    (
        "a.py",
        'D = {"trainer.nnode": 2}\nA = [f"{k}={v}" for k, v in D.items() for _ in range(2)]\n'
        'run(["python3", "-m", "verl.trainer.main_ppo", *A])\n',
    ),
    ("a.sh", f"{START} trainer.nnodes=$((65#1))x\n"),  # bash stops
    ("a.sh", f"{START} ~\n"),
    ("a.sh", f"{START} ~/trainer.nnode=2\n"),  # a file of the user's
    ("a.sh", f"parallel {START} ::: trainer.nnodes=1 ::: trainer.nnode=2\n"),  # of both together
    ("a.sh", f"parallel {START} :::: trainer.nnode=2\n"),  # a file
    ("a.sh", f"parallel {START} ::: {'trainer.nnodes=1 ' * 20} trainer.nnode=2\n"),
]


@pytest.mark.parametrize(("name", "text"), FORMS)
def test_a_form_does_not_hide_the_key(name: str, text: str) -> None:
    findings = check_text(name, text, Options(VERL)).findings
    assert "trainer.nnode" in [one.key for one in findings if one.rule == "unknown-key"]
    for one in findings:
        if one.key == "trainer.nnode":
            line = text.split("\n")[one.span.line - 1]
            assert line[one.span.column - 1 :].startswith(("trainer.nnode", "$B", "${B}", "{b}"))


@pytest.mark.parametrize(("name", "text"), LEFT_ALONE)
def test_what_is_no_command_is_left_alone(name: str, text: str) -> None:
    assert [one.message for one in check_text(name, text, Options(VERL)).findings] == []
