#!/bin/bash
# What argparse, which reads the command line for Hydra, takes of flags and arguments.

# Flags stand before all overrides, after all of them, or on both sides.
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer trainer.nnodes=1 data.seed=1
python3 -m verl.trainer.main_ppo trainer.nnodes=1 data.seed=1 --config-path config -cn ppo_trainer
python3 -m verl.trainer.main_ppo --cfg job trainer.nnodes=1 data.seed=1 --config-name ppo_trainer
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 --config-name=ppo_megatron_trainer data.seed=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 -cn ppo_trainer data.seed=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 --config-path=config data.seed=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 --multirun data.seed=1,2
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 --cfg job data.seed=1

# The first word that is refused is reported, where it is written; the rest is judged as well.
COMMON=(
    trainer.nnodes=1
    --config-name=ppo_megatron_trainer
)
SECOND=(
    # snippet-checker: expect[override-syntax]
    data.seed=1
    actor_rollout_ref.actor.megatron.param_offload=True
    # snippet-checker: expect[unknown-key]
    trainer.nnode=1
)
python3 -m verl.trainer.main_ppo "${COMMON[@]}" "${SECOND[@]}"
python3 -m verl.trainer.main_ppo --multirun "${COMMON[@]}"

# What is known at launch only may hold the flags, or nothing.
python3 -m verl.trainer.main_ppo "$@" --config-name=ppo_trainer trainer.nnodes=1
python3 -m verl.trainer.main_ppo trainer.nnodes=1 "$@" data.seed=1
python3 -m verl.trainer.main_ppo trainer.nnodes=1 $FLAGS data.seed=1
NOTHING=()
python3 -m verl.trainer.main_ppo "${NOTHING[@]}" --config-name=ppo_trainer trainer.nnodes=1
if [ -n "$MEGATRON" ]; then
    CONFIG=(--config-name=ppo_megatron_trainer)
fi
python3 -m verl.trainer.main_ppo trainer.nnodes=1 "${CONFIG[@]}" data.seed=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 "$@" --config-name=ppo_trainer data.seed=1

# After two dashes there are no flags.
python3 -m verl.trainer.main_ppo -- trainer.nnodes=1
python3 -m verl.trainer.main_ppo trainer.nnodes=1 -- data.seed=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 -- --multirun

# Words that begin with a dash are flags or nothing.
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo -data.train_batch_size=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 -v
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo -u trainer.nnodes=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --local_rank=0
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo -1

# Spellings of flags: short, joined, together, abbreviated.
python3 -m verl.trainer.main_ppo -cn=ppo_megatron_trainer actor_rollout_ref.actor.megatron.param_offload=True
python3 -m verl.trainer.main_ppo --config-n ppo_megatron_trainer actor_rollout_ref.actor.megatron.param_offload=True
python3 -m verl.trainer.main_ppo -cjob --resolve trainer.nnodes=1
python3 -m verl.trainer.main_ppo -hm trainer.nnodes=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo -cnppo_trainer
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --config=ppo_trainer
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --multirun=true

# Values of flags, and flags that do not go together.
python3 -m verl.trainer.main_ppo trainer.nnodes=1 --info
python3 -m verl.trainer.main_ppo trainer.nnodes=1 --info defaults
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --info trainer.nnodes=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --cfg config
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --config-name
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --config-name --multirun
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --run --multirun trainer.nnodes=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --resolve trainer.nnodes=1

# What these are given is no override.
python3 -m verl.trainer.main_ppo -sc install=bash
python3 -m verl.trainer.main_ppo --shell-completion uninstall=bash
python3 -m verl.trainer.main_ppo --version trainer.nnode=1

# Hydra refuses an empty argument; without quotes there is none.
EXTRA=""
python3 -m verl.trainer.main_ppo trainer.nnodes=1 $EXTRA data.seed=1
python3 -m verl.trainer.main_ppo trainer.nnodes=1 "${NOTHING[@]}" "${EXTRA_ARGS:-}"
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 "$EXTRA" data.seed=1
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo ""
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 '' data.seed=1
if [ -n "$MEGATRON" ]; then
    EXTRA=model_engine=megatron
fi
python3 -m verl.trainer.main_ppo trainer.nnodes=1 "$EXTRA"
# Another program may take any arguments.
python3 -m recipe.dapo.main_dapo trainer.nnodes=1 --mine "" -v trainer.nnodes=1

# What stands behind a flag that Hydra has not is its value: argparse stops at the flag.
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo --learning_rate 2e-5
