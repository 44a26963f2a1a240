#!/bin/bash
# Launch commands as people write them; each wrong line is announced above it.
set -x

BACKEND=${BACKEND:-vllm}
DATA=$HOME/data/gsm8k

COMMON=(
    algorithm.adv_estimator=grpo
    "data.train_files=$DATA/train.parquet"
    # snippet-checker: expect[unknown-key]
    data.max_new_tokens=512
    actor_rollout_ref.rollout.name=$BACKEND
)

python3 -m verl.trainer.main_ppo \
    "${COMMON[@]}" \
    trainer.logger='["console","wandb"]' \
    trainer.n_gpus_per_node=8 \
    hydra.run.dir=outputs "$@"

# A choice of a config group decides which keys there are.
python3 -m verl.trainer.main_ppo model_engine=megatron \
    actor_rollout_ref.actor.megatron.param_offload=True

# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.megatron.param_offload=True

# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo model_engine=megatron actor_rollout_ref.actor.fsdp_config.param_offload=True

# snippet-checker: expect[unknown-option]
python3 -m verl.trainer.main_ppo model_engine=banana

# snippet-checker: expect[unknown-group]
python3 -m verl.trainer.main_ppo actor=dp_actor

# An engine that is known at launch only: the keys of any engine pass.
python3 -m verl.trainer.main_ppo model_engine=$ENGINE \
    actor_rollout_ref.actor.megatron.param_offload=True

# A branch that may not be taken chooses nothing.
if [ "$USE_MEGATRON" = 1 ]; then
    ENGINE_ARGS=(model_engine=megatron actor_rollout_ref.actor.megatron.param_offload=True)
else
    ENGINE_ARGS=(actor_rollout_ref.actor.fsdp_config.param_offload=True)
fi
python3 -m verl.trainer.main_ppo "${ENGINE_ARGS[@]}"

train() {
    torchrun --nproc_per_node 8 -m verl.trainer.sft_trainer "$@" model.use_liger=True
}
train optim.lr=1e-5
# snippet-checker: expect[misplaced-root]
train actor_rollout_ref.actor.optim.lr=1e-5

# snippet-checker: expect[unknown-key]
bash -c "python3 -m verl.trainer.main_ppo trainer.nnode=2"

# snippet-checker: expect[unknown-key]
ray job submit --address=http://localhost:8265 -- python3 -m verl.trainer.main_ppo trainer.nnode=2

# snippet-checker: expect[needless-plus]
python3 -m verl.trainer.main_ppo +actor_rollout_ref.actor.use_dynamic_bsz=True

# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo +actor_rollout_ref.actor.use_dynamic_batchsize=True

# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo ++critic.model.fsdp_config.param_offload=True

# Code of one's own may read it, where the command brings such code.
python3 -m verl.trainer.main_ppo data.custom_cls.path=my.py +data.my_own_option=1

# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo +data.my_own_option=1

# The dataclass that verl builds has no such field, whatever code there is.
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo data.custom_cls.path=my.py +actor_rollout_ref.actor.my_own_option=1

# Handed on whole, so nobody here knows every key.
python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.num_gpus=8 \
    +actor_rollout_ref.rollout.engine_kwargs.vllm.some_argument=1 \
    +actor_rollout_ref.actor.fsdp_config.turbo_config.distributed.fsdp_plan.apply_modules='[mlp]'

# Only code reads it, and no YAML has it.
python3 -m verl.trainer.main_generation_server +data.output_path=out.parquet

# One of two branches appends.
EXTRA=()
case $DEVICE in
    gpu) EXTRA+=(+actor_rollout_ref.rollout.engine_kwargs.sglang.attention_backend=flashinfer) ;;
    npu) EXTRA+=(+actor_rollout_ref.rollout.engine_kwargs.sglang.attention_backend=ascend) ;;
esac
python3 -m verl.trainer.main_ppo "${EXTRA[@]}"

# Hydra's own settings are judged by Hydra.
python3 -m verl.trainer.main_ppo hydra.run.dir=out hydra.job.chdir=true hydra/job_logging=disabled \
    +hydra.job.env_set.NCCL_DEBUG=INFO

# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo hydra.run.directory=out

# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo hydra.job.chdir=sometimes

# Other packages' configs may bring groups, options and keys.
python3 -m verl.trainer.main_ppo hydra.searchpath=[pkg://my.config] \
    actor@actor_rollout_ref.actor=my_actor actor_rollout_ref.actor.engine.tp=2
python3 -m verl.trainer.main_ppo --config-dir conf +experiment=mine model_engine=my_engine

# Where nothing is set yet, Hydra takes the plus.
python3 -m verl.trainer.main_ppo +trainer.total_training_steps=10

# snippet-checker: expect[needs-plus]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.engine_kwargs.vllm.block_size=32

# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo ~trainer.nnode

# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo data.train_batch_size=1,2

python3 -m verl.trainer.main_ppo --multirun data.train_batch_size=1,2

# A space after the backslash ends the line for the shell: it hands Hydra a word of one space.
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.nnodes=1 \ 

# snippet-checker: expect[unknown-entry]
python3 -m verl.trainer.fsdp_sft_trainer optim.lr=1e-5

# snippet-checker: expect[unknown-entry]
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron

python3 -m verl.trainer.main_ppo --config-path=config --config-name='ppo_megatron_trainer.yaml' \
    actor_rollout_ref.actor.megatron.param_offload=True

python3 -m verl.trainer.main_ppo --config-path=pkg://verl.trainer.config --config-name=ppo_megatron_trainer \
    actor_rollout_ref.actor.megatron.param_offload=True
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo --config-path=pkg://verl.trainer.config trainer.nnode=1
python3 -m verl.trainer.main_ppo --config-path=pkg://my.config trainer.nnodes=1

# Somebody's own config: what verl's program has is confirmed, the rest is left alone.
python3 -m verl.trainer.main_ppo --config-path=$PWD/config --config-name=mine \
    trainer.nnodes=1 mine.own=2

# Programs that take no overrides, and programs of others.
python3 -m verl.model_merger merge --backend fsdp --local_dir checkpoints --target_dir merged
docker run -e a.b=c image
sysctl -w net.core.somaxconn=1024

# Arguments that a function takes off before it hands on the rest.
launch() {
    local nodes=$1
    shift
    python3 -m verl.trainer.main_ppo trainer.nnodes="$nodes" "$@"
}
launch 2 data.train_batch_size=256
# snippet-checker: expect[unknown-key]
launch 2 data.train_batchsize=256

# Braces make two words before Hydra sees them.
python3 -m verl.trainer.main_ppo data.{train,val}_files=/data/gsm8k.parquet
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo data.{train,vall}_files=/data/gsm8k.parquet

# A memory limit is no module.
# snippet-checker: expect[unknown-option]
docker run -m 64g image python3 -m verl.trainer.main_ppo model_engine=banana
# snippet-checker: expect[misplaced-root]
python3 -m torch.distributed.run --nproc_per_node=8 -m verl.trainer.sft_trainer data.use_remove_padding=True

# Commands inside other commands.
# snippet-checker: expect[unknown-key]
OUTPUT=$(python3 -m verl.trainer.main_ppo trainer.nnode=1)
# snippet-checker: expect[unknown-key]
eval "python3 -m verl.trainer.main_ppo trainer.nnode=1"
# snippet-checker: expect[unknown-key]
sbatch --wrap="python3 -m verl.trainer.main_ppo trainer.nnode=1"
cat > run.sh <<'END'
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo trainer.nnode=1
END
: <<'END'
python3 -m verl.trainer.main_ppo trainer.nnode=1
END

# Files that are only named, and programs of others.
cp verl/trainer/main_ppo.py my_main.py
ruff check verl/trainer/main_ppo.py verl/workers/engine_workers.py
python3 -m recipe.dapo.main_dapo data.gen_batch_size=512 algorithm.filter_groups.anything=True
python3 train.py model.path=x optimizer.lr=0.1
# snippet-checker: expect[unknown-key]
python3 -m recipe.dapo.main_dapo actor_rollout_ref.rollout.tensor_parallel_size=2
# Hydra takes a plus there, too, and nobody reads the slip.
# snippet-checker: expect[dead-append]
python3 -m recipe.dapo.main_dapo +actor_rollout_ref.rollout.tensor_parallel_size=2
python3 -m recipe.dapo.main_dapo actor_rollout_ref.rollout.n=2 +actor_rollout_ref.rollout.mine=2

# An earlier override can take away what a later one needs.
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo critic.optim=null critic.optim.lr=1e-5

# References to other keys: absolute, relative, inside of a text, a list and a mapping.
python3 -m verl.trainer.main_ppo 'trainer.nnodes=${trainer.n_gpus_per_node}' \
    'trainer.save_freq=${.test_freq}' 'trainer.test_freq=${..data.train_batch_size}' \
    'trainer.logger=[console,"${..project_name}"]' 'trainer.project_name=a_${oc.env:USER}' \
    'trainer.experiment_name=${oc.select:trainer.mine,x}' 'data.seed=${trainer.logger.0}' \
    'hydra.run.dir=out/${trainer.project_name}/${hydra.job.name}' \
    trainer.default_local_dir="${HOME}/ckpt"
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo "trainer.default_local_dir=\${HOME}/ckpt"
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'trainer.nnodes=${trainer.nnode}'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'trainer.nnodes=${.n_gpu_per_node}'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'trainer.experiment_name=n${trainer.nodes}-${now:%Y}'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'trainer.logger=["${trainer.logg}"]'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo '+ray_kwargs.ray_init.runtime_env={a: "${..num_cpu}"}'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'hydra.run.dir=out/${trainer.experiment}'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'trainer.project_name=${hydra.job.name}'
# Hydra stops at the key: nothing is said of what it refers to.
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo 'trainer.nnode=${trainer.nope}'
# Another choice of a config group has it, and a group that is not known may have it.
python3 -m verl.trainer.main_ppo model_engine=megatron \
    'trainer.nnodes=${actor_rollout_ref.actor.megatron.tensor_model_parallel_size}'
python3 -m verl.trainer.main_ppo model_engine=$ENGINE \
    'trainer.nnodes=${actor_rollout_ref.actor.megatron.tensor_model_parallel_size}'
# snippet-checker: expect[unknown-reference]
python3 -m verl.trainer.main_ppo 'trainer.nnodes=${actor_rollout_ref.actor.megatron.tensor_model_parallel_size}'

# What the shell gets is filled in by whoever takes the line.
bash -c 'python3 -m verl.trainer.main_ppo trainer.nnodes=$1'

# Other spellings of the same commands.
# snippet-checker: expect[unknown-key]
python3 -mverl.trainer.main_ppo trainer.nnode=1
# snippet-checker: expect[unknown-key]
bash -c $'python3 -m verl.trainer.main_ppo \\\n  data.seed=1 trainer.project_name=\'a\' trainer.nnode=1'
python3 -m verl.trainer.main_ppo trainer.project_name=$'\'\x61\t\u6587\'' data.seed=$'\61'
# snippet-checker: expect[unknown-key]
bash -s <<< "python3 -m verl.trainer.main_ppo trainer.nnode=$N" > log.txt
: <<< "python3 -m verl.trainer.main_ppo trainer.nnode=1"

# Numbers in braces, and elements of arrays.
python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.runtime_env.n{1..3}=1 trainer.project_name='"{1..3}"'
# snippet-checker: expect[shell-quoting]
python3 -m verl.trainer.main_ppo data.seed={1..3}
SIZES=(256 trainer.nnode=1)
declare -A MODEL=([path]=/models/qwen [engine]=megatron)
python3 -m verl.trainer.main_ppo model_engine=${MODEL[engine]} data.train_batch_size=${SIZES[0]} \
    actor_rollout_ref.actor.megatron.param_offload=True actor_rollout_ref.model.path="${MODEL['path']}"
SIZES[1]=trainer.nnodes=1
MODEL[engine]=$ENGINE
python3 -m verl.trainer.main_ppo "${SIZES[1]}" model_engine=${MODEL[engine]} \
    actor_rollout_ref.actor.megatron.param_offload=True
OVERRIDES=(data.seed=1 trainer.nnodes=1)
python3 -m verl.trainer.main_ppo "${OVERRIDES[1]}" "${OVERRIDES[$N]}"
declare -A SETTINGS=([nodes]="trainer.nnodes=1" [seed]="data.seed=1")
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"

# The SFT program alone takes a word for the number of steps.
torchrun -m verl.trainer.sft_trainer trainer.save_freq=after_each_epoch trainer.test_freq=after_each_epoch

# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo trainer.save_freq=after_each_epoch

# snippet-checker: expect[wrong-type]
torchrun -m verl.trainer.sft_trainer trainer.save_freq=after_each_step

# The PPO program compares it with 0 first; the SFT program divides by it.
python3 -m verl.trainer.main_ppo trainer.save_freq=False trainer.test_freq=False
python3 -m verl.trainer.main_ppo trainer.log_val_generations=False

# Nothing looks inside this mapping.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.agent.custom_async_server=False

# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.agent.custom_async_server=True

# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo trainer.log_val_generations=True

# Only divided by, and handed on to a function that takes a number as well.
python3 -m verl.trainer.main_ppo algorithm.kl_ctrl.horizon=1e4 critic.fsdp.reshard_after_forward=4 \
    actor_rollout_ref.{actor,ref}.fsdp_config.reshard_after_forward=4

# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo algorithm.kl_ctrl.horizon=long

# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo critic.fsdp.reshard_after_forward=0.5

# snippet-checker: expect[wrong-type]
torchrun -m verl.trainer.sft_trainer trainer.test_freq=False

# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo trainer.test_freq=True

# snippet-checker: expect[ineffective-key]
torchrun -m verl.trainer.sft_trainer model.tiled_mlp.enabled=True

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo critic.ppo_max_token_len_per_gpu=16384

# The old trainer reads it.
python3 -m verl.trainer.main_ppo trainer.use_v1=False critic.ppo_max_token_len_per_gpu=16384

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.fsdp_config.dtype=float16

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo model_engine=megatron actor_rollout_ref.actor.megatron.use_remove_padding=False

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo model_engine=megatron actor_rollout_ref.actor.use_torch_compile=False

# Either branch may set the command: what it is given is judged all the same.
if [ "$BACKEND" = fsdp ]; then
    LAUNCH="torchrun -m verl.trainer.sft_trainer"
else
    LAUNCH="python3 -m verl.trainer.sft_trainer_ray"
fi
# snippet-checker: expect[unknown-key]
$LAUNCH data.max_token_len_per_gpus=2048 model.use_remove_padding=True

# snippet-checker: expect[needs-plus]
python3 -m verl.trainer.main_ppo actor_rollout_ref.ref.use_dynamic_bsz=True

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo +actor_rollout_ref.ref.use_dynamic_bsz=True

# A program that is gone is judged as the one to start instead.
# snippet-checker: expect[unknown-entry,removed-key]
torchrun -m verl.trainer.fsdp_sft_trainer model.partial_pretrain=m data.train_batch_size=256

# Which of verl's configs a command starts from may be open; a config of one's own is not judged.
if [ "$BACKEND" = megatron ]; then
    CONFIG=ppo_megatron_trainer
else
    CONFIG=ppo_trainer
fi
# snippet-checker: expect[removed-key]
python3 -m verl.trainer.main_ppo --config-path=./config --config-name=$CONFIG trainer.use_legacy_worker_impl=disable trainer.nnodes=1
python3 -m verl.trainer.main_ppo --config-path=$PWD/config --config-name=$CONFIG trainer.use_legacy_worker_impl=disable

# The worker tells the engine how to batch.
# snippet-checker: expect[needs-plus]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.fsdp_config.micro_batch_size_per_gpu=2
# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo +actor_rollout_ref.ref.fsdp_config.use_dynamic_bsz=True

# A helper is followed wherever it is called, however often; one that calls itself ends.
log() {
    echo "$(date)" "$@"
}
launch() {
    log "starting with $*"
    python3 -m verl.trainer.main_ppo "$@" || launch "$@"
}
log 1; log 2; log 3; log 4; log 5; log 6; log 7; log 8; log 9; log 10; log 11; log 12
log 1; log 2; log 3; log 4; log 5; log 6; log 7; log 8; log 9; log 10; log 11; log 12
launch trainer.nnodes=1
# snippet-checker: expect[unknown-key]
launch trainer.nnode=1
# An empty array takes text, too.
MORE=()
MORE+=trainer.nnodes
python3 -m verl.trainer.main_ppo $MORE=2

# What takes the place of a mapping is a mapping of its own.
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo +trainer.foo.bar=1 ~trainer.foo +trainer.baz.qux=1 trainer.baz.qux=2

# What names an item of a list replaces it, with and without pluses.
python3 -m verl.trainer.main_ppo ++trainer.logger.1=swanlab trainer.logger.0=console
python3 -m verl.trainer.main_ppo "++data.train_files=[a, b]" ++data.train_files.0=c
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo ++trainer.logger.5=swanlab
# snippet-checker: expect[needless-plus]
python3 -m verl.trainer.main_ppo +trainer.logger.1=swanlab
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo "+data.foo=[a]" ++data.foo.0=b

# What Hydra's own defaults list has already cannot be appended to it, unless it goes elsewhere.
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo +hydra/launcher=basic
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo +hydra/job_logging=disabled
python3 -m verl.trainer.main_ppo +hydra/launcher@x=basic hydra/launcher=basic

# A group with an empty package is another choice.
# snippet-checker: expect[unknown-group]
python3 -m verl.trainer.main_ppo model_engine@=megatron
# snippet-checker: expect[unknown-group]
python3 -m verl.trainer.main_ppo hydra/launcher@=basic
python3 -m verl.trainer.main_ppo +model_engine@=megatron

# Hydra's own node has values that Hydra itself stumbles over.
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo hydra/launcher=1
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo hydra=1
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo +hydra.sweeper.params.trainer.nnodes=1
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo '+hydra.sweeper.params={trainer.nnodes: 1}'
# Which variables there are to copy is known at launch only.
python3 -m verl.trainer.main_ppo hydra.job.env_copy=[NCCL_DEBUG_OF_NOBODY]
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo hydra.job.env_copy=PATH
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo +actor_rollout_ref.actor.optim.foo='{1: 2}'
# snippet-checker: expect[override-syntax]
python3 -m verl.trainer.main_ppo trainer.project_name=$'\ud800'

# The keys of a reward function's arguments are its author's.
python3 -m verl.trainer.main_ppo +reward.custom_reward_function.reward_kwargs.mine=1
python3 -m verl.trainer.main_ppo '+reward.custom_reward_function.reward_kwargs={mine: 1}'
# snippet-checker: expect[needs-plus]
python3 -m verl.trainer.main_ppo reward.custom_reward_function.reward_kwargs.mine=1
# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo +custom_reward_function.reward_kwargs.mine=1

# Which option the environment names is known at launch only, and of no matter where `~` follows.
python3 -m verl.trainer.main_ppo 'rollout@actor_rollout_ref.rollout=${oc.env:ENGINE}'
python3 -m verl.trainer.main_ppo '+rollout@other=${oc.env:ENGINE}' '~rollout@other'
# snippet-checker: expect[unknown-option]
python3 -m verl.trainer.main_ppo 'rollout@actor_rollout_ref.rollout=engine'
# snippet-checker: expect[refused-override]
python3 -m verl.trainer.main_ppo 'rollout@actor_rollout_ref.rollout=${trainer.nnodes}'

# A script of a checkout, beside the package, is in no wheel.
python3 /opt/verl/examples/data_preprocess/gsm8k.py --local_save_dir /data
# snippet-checker: expect[unknown-entry]
python3 /opt/verl/verl/trainer/main_ppoo.py trainer.nnodes=1
# snippet-checker: expect[unknown-entry]
python3 verl/trainer/fsdp_sft_trainer.py

# Since 0.9.0 the default trainer does not look at them.
# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo data.reward_fn_key=source data.trust_remote_code=True
# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo trainer.balance_batch=False
python3 -m verl.trainer.main_ppo trainer.use_v1=False trainer.balance_batch=False
# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.do_sample=False
# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo +actor_rollout_ref.rollout.repetition_penalty=1.05
# The same as without it.
python3 -m verl.trainer.main_ppo data.reward_fn_key=data_source

# Words that verl took once stop the run, whatever code comes with the command.
# snippet-checker: expect[invalid-choice]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.load_format=dummy_dtensor
# snippet-checker: expect[invalid-choice]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.mode=sync actor_rollout_ref.model.external_lib=mine
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.load_format=dummy
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.load_format=safetensors

# A section that the program's config has not is another program's; here it is one of the shared config.
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo +model.override_config.attn_implementation=sdpa
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo +model.path=m
python3 -m verl.trainer.sft_trainer +model.override_config.attn_implementation=sdpa
python3 -m my.trainer data.train_batch_size=4 +model.path=m
# A reward of one's own is no program of one's own.
# snippet-checker: expect[dead-append]
python3 -m verl.trainer.main_ppo reward.custom_reward_function.path=a.py +model.path=m

# What stands for a variable that only the caller may set is looked at, and is not sure.
ROUNDS=${ROUNDS:-}
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo ${ROUNDS:+trainer.total_epoch=$ROUNDS}
NO_ROUNDS=
python3 -m verl.trainer.main_ppo ${NO_ROUNDS:+trainer.total_epoch=$NO_ROUNDS}

# The `-m` of torchrun is a switch: the module is the first word that is no option.
# snippet-checker: expect[unknown-key]
torchrun -m --nnodes 1 --nproc_per_node=8 verl.trainer.sft_trainer trainer.total_epoch=2
# snippet-checker: expect[unknown-key]
python3 -m torch.distributed.run --module --standalone verl.trainer.sft_trainer trainer.total_epoch=2

# An array that this script hands to nothing is for one that takes the script in.
SHARED=(
    trainer.nnodes=1
    # snippet-checker: expect[unknown-key]
    actor_rollout_ref.actor.use_dynamic_batchsize=True
)
if [ -n "$LORA" ]; then
    # snippet-checker: expect[unknown-key]
    SHARED+=(actor_rollout_ref.model.lora_rnk=8)
fi
configure() {
    # snippet-checker: expect[unknown-key]
    local -a OF_DATA=("data.train_filess=$DATA/train.parquet")
}
# Words that are no overrides, and what another program gets, are left alone.
HOSTS=(node-1 node-2)
OTHERS=(cluster.size=2 cluster.root=/data)
my-launcher "${OTHERS[@]}"

# Ray takes text alone for environment variables, and the shell takes quotes away.
# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.runtime_env.env_vars.NCCL_DEBUG="1"
# snippet-checker: expect[wrong-type]
python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.runtime_env.env_vars.TRACE=False
python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.runtime_env.env_vars.A='"1"' \
    +ray_kwargs.ray_init.runtime_env.env_vars.B=\'2\' "+ray_kwargs.ray_init.runtime_env.env_vars.C=$C" \
    +ray_kwargs.ray_init.runtime_env.env_vars.D=INFO ray_kwargs.ray_init.num_cpus=8
