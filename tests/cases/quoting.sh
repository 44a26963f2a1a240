#!/usr/bin/env bash
# What the shell does to overrides before Hydra sees them.

python3 -m verl.trainer.main_ppo trainer.nnodes=1

# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo trainer.logger=[console, wandb]

python3 -m verl.trainer.main_ppo 'trainer.logger=[console, wandb]' trainer.logger='["console","wandb"]' \
    "trainer.logger=['console', 'wandb']"

# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init={num_gpus:8,num_cpus:4}

# Braces that make several keys are what bash is for.
python3 -m verl.trainer.main_ppo trainer.{nnodes,total_epochs}=2

# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo data.train_files=~/data/train.parquet

TRAIN=~/data/train.parquet
python3 -m verl.trainer.main_ppo data.train_files=$TRAIN data.val_files=${VAL:-~/data/val.parquet}

NNODES=2
# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo trainer.nnodes='$NNODES'

python3 -m verl.trainer.main_ppo trainer.nnodes="$NNODES" 'trainer.total_epochs=${trainer.nnodes}'

# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo trainer.total_epochs=${trainer.nnodes}

python3 -m verl.trainer.main_ppo \
    trainer.nnodes=2 \
    # snippet-checker: expect[shell-quoting]
    trainer.total_epochs=2

# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo trainer.nnodes='${NNODES}'

# An arithmetic default is not known before launch.
python3 -m verl.trainer.main_ppo data.max_prompt_length=${LENGTH:-$(((1024 + 2) * 2))}

# Quotes are not needed where nothing is split.
python3 -m verl.trainer.main_ppo data.train_files=[$HOME/a.parquet,$HOME/b.parquet]

# A file that is sourced may fill what was left empty, and leaves open what else it sets.
GAMMA=""
# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo algorithm.gamma=$GAMMA
EXTRA=()
# snippet-checker: expect[wrong-type]
LAM=x
source "configs/$1.sh"
python3 -m verl.trainer.main_ppo algorithm.gamma=$GAMMA
python3 -m verl.trainer.main_ppo algorithm.lam=$LAM "${EXTRA[@]}"

# Other commands than assignments set variables too.
COUNT=x
read -r COUNT
python3 -m verl.trainer.main_ppo trainer.nnodes=$COUNT
for COUNT in 1 2; do
    python3 -m verl.trainer.main_ppo trainer.nnodes=$COUNT
done

# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --trainer.nnodes=2

python3 -m verl.trainer.main_ppo hydra.mode=MULTIRUN trainer.nnodes=1,2
torchrun --nproc_per_node=8 --module verl.trainer.sft_trainer trainer.total_epochs=2

# A blank in a variable splits the argument, unless other overrides follow it.
RUN="first try"
# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo trainer.experiment_name=$RUN

# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo trainer.default_local_dir=/checkpoints/${RUN}/last trainer.nnodes=1

MORE=" trainer.nnodes=2 trainer.save_freq=5"
python3 -m verl.trainer.main_ppo trainer.experiment_name="$RUN" trainer.total_epochs=2$MORE $MORE

# Between quotes all elements of an array make one word, or a word each.
EXTRAS=(--extra vllm)
python3 -m verl.trainer.main_ppo "+ray_kwargs.ray_init.runtime_env.py_executable=uv run ${EXTRAS[*]}"

# A stand-in is left to the reader of a script, too.
MODEL="<path to the models>"
python3 -m verl.trainer.main_ppo "data.train_files=<your data>" "trainer.default_local_dir=$PWD/$MODEL"

# A variable with flags in it holds arguments, which the shell is to part.
IN_IMAGE="apptainer exec --env OMP_NUM_THREADS=1 --env HF_HOME=/data image.sif"
$IN_IMAGE bash run.sh trainer.nnodes=1

# A dash that is none, before a word that is no flag of Hydra's.
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo –foo trainer.nnodes=1
