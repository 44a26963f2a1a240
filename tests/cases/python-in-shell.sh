#!/bin/bash
# Python that a script hands on is read as Python: an argument, a here-document, a file of it.
# snippet-checker: expect[unknown-key]
python3 -u -c "import os; os.system('python3 -m verl.trainer.main_ppo data.train_batchsize=256')"
# snippet-checker: expect[unknown-key]
docker exec train python -c 'import os; os.system("python3 -m verl.trainer.main_ppo trainer.nnode=1")'

NODES=2
python3 - "$@" <<'EOF'
import subprocess
overrides = [
    "algorithm.adv_estimator=grpo",
    "data.train_batchsize=256",  # snippet-checker: expect[unknown-key]
]
subprocess.run(["python3", "-m", "verl.trainer.main_ppo", *overrides], check=True)
EOF

# What the shell puts in is known.
srun --overlap python3 <<-EOF
	import subprocess
	command = ["python3", "-m", "verl.trainer.main_ppo"]
	command += ["trainer.nnodes=${NODES}"]
	# snippet-checker: expect[unknown-key]
	command += ["trainer.nnode=${NODES}"]
	subprocess.run(command)
EOF

cat > launch.py <<'EOF'
from hydra import compose, initialize_config_module
with initialize_config_module("verl.trainer.config"):
    config = compose("ppo_trainer", overrides=["algorithm.adv_estimator=grpo"])
    config.trainer.total_epoch = 3  # snippet-checker: expect[unknown-key]
EOF

# A program of another kind, or half of one, is left alone.
python3 -c "print('trainer.nnode=1')"
python3 - <<'EOF'
subprocess.run(["python3", "-m", "verl.trainer.main_ppo", "trainer.nnode=1"
EOF
# A program that takes a text in is no Python.
python3 wait_and_run.py <<'EOF'
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo trainer.nnode=1
EOF
