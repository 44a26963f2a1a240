#!/usr/bin/env bash
# Settings that verl refuses together, and their neighbours that it takes.

python3 -m verl.trainer.main_ppo trainer.nnodes=1

# snippet-checker: expect[conflicting-settings,deprecated-key]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.ppo_micro_batch_size=16 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2

# Dynamic batching does not cut by count.
# snippet-checker: expect[deprecated-key]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_micro_batch_size=16 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2

# A command that is meant whole lacks the micro-batch sizes.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm

python3 -m verl.trainer.main_ppo data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm algorithm.adv_estimator=remax actor_rollout_ref.actor.use_dynamic_bsz=True

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=128

python3 -m verl.trainer.main_ppo data.train_batch_size=128 actor_rollout_ref.actor.ppo_mini_batch_size=64

# Known at launch only.
python3 -m verl.trainer.main_ppo data.train_batch_size=$SIZE actor_rollout_ref.actor.ppo_mini_batch_size=128

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_batch_size=100 actor_rollout_ref.actor.ppo_mini_batch_size=50 trainer.n_gpus_per_node=8 trainer.nnodes=1

# Two nodes with seven responses each: 100 x 8 samples over 16 GPUs.
python3 -m verl.trainer.main_ppo data.train_batch_size=100 actor_rollout_ref.actor.ppo_mini_batch_size=50 trainer.n_gpus_per_node=8 trainer.nnodes=2 actor_rollout_ref.rollout.n=8

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo model_engine=megatron trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=3

python3 -m verl.trainer.main_ppo model_engine=megatron trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 actor_rollout_ref.rollout.tensor_model_parallel_size=3

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_dynamic_bsz=False actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=True

# The rollout follows the actor unless it is told otherwise.
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_dynamic_bsz=True

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.use_remove_padding=False actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size=2

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.val_kwargs.do_sample=True actor_rollout_ref.rollout.temperature=0

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.lora_rank=1024

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=sglang actor_rollout_ref.model.lora_rank=1024

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.expert_parallel_size=4 actor_rollout_ref.rollout.tensor_model_parallel_size=2

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.expert_parallel_size=4 actor_rollout_ref.rollout.tensor_model_parallel_size=4

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=sglang actor_rollout_ref.rollout.pipeline_model_parallel_size=2

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo trainer.v1.trainer_mode=separate_async data.train_batch_size=1024 actor_rollout_ref.actor.ppo_mini_batch_size=256 trainer.v1.separate_async.parameter_sync_step=2

# The critic's size per GPU follows the one over all GPUs, so setting the latter alone sets both.
# snippet-checker: expect[conflicting-settings,deprecated-key]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.actor.use_dynamic_bsz=True algorithm.adv_estimator=gae critic.use_dynamic_bsz=False critic.ppo_micro_batch_size=16

# One of two branches only.
if [ -n "$SMALL" ]; then
    SIZES=(data.train_batch_size=64)
fi
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.ppo_mini_batch_size=128 "${SIZES[@]}"

# Switches that need another setting, in commands that are meant whole.
WHOLE="data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax"
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.actor.use_kl_loss=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_use_dynamic_bsz=False
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_use_dynamic_bsz=False actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=2
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.ref.log_prob_use_dynamic_bsz=False
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_use_dynamic_bsz=False

SEPARATE="data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=64 trainer.v1.separate_async.parameter_sync_step=4"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.v1.trainer_mode=separate_async $SEPARATE actor_rollout_ref.rollout.checkpoint_engine.backend=nccl
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.v1.trainer_mode=separate_async $SEPARATE actor_rollout_ref.rollout.nnodes=1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo trainer.v1.trainer_mode=separate_async actor_rollout_ref.rollout.nnodes=0
python3 -m verl.trainer.main_ppo $WHOLE trainer.v1.trainer_mode=separate_async $SEPARATE actor_rollout_ref.rollout.nnodes=1 actor_rollout_ref.rollout.checkpoint_engine.backend=nccl
python3 -m verl.trainer.main_ppo $WHOLE trainer.v1.trainer_mode=separate_async $SEPARATE actor_rollout_ref.rollout.nnodes=$N actor_rollout_ref.rollout.checkpoint_engine.backend=nccl

REWARD="reward.reward_model.enable=True reward.reward_model.rollout.name=vllm reward.reward_model.model_path=rm"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE reward.reward_model.enable=True reward.reward_model.rollout.name=vllm
python3 -m verl.trainer.main_ppo $WHOLE $REWARD
python3 -m verl.trainer.main_ppo reward.reward_model.enable=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $REWARD reward.reward_model.enable_resource_pool=True
python3 -m verl.trainer.main_ppo $WHOLE $REWARD reward.reward_model.enable_resource_pool=True reward.reward_model.nnodes=1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE distillation.enabled=True distillation.n_gpus_per_node=8
python3 -m verl.trainer.main_ppo $WHOLE distillation.enabled=True distillation.n_gpus_per_node=8 distillation.nnodes=1 distillation.teacher_models.teacher_model.model_path=t
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE distillation.enabled=True distillation.n_gpus_per_node=8 distillation.nnodes=1

python3 -m verl.trainer.main_ppo $WHOLE algorithm.filter_groups.enable=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.filter_groups.enable=True algorithm.filter_groups.metric=null
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $REWARD algorithm.filter_groups.enable=True
python3 -m verl.trainer.main_ppo $WHOLE $REWARD algorithm.filter_groups.enable=True reward.reward_model.enable_resource_pool=True reward.reward_model.nnodes=1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $REWARD trainer.v1.trainer_mode=separate_async $SEPARATE actor_rollout_ref.rollout.nnodes=1 actor_rollout_ref.rollout.checkpoint_engine.backend=nccl

# A run is resumed from the folder of one step; documents may leave the path to the reader.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=resume_path
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=resume_path trainer.resume_from_path=checkpoints/last
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=resume_path trainer.resume_from_path=checkpoints/global_step_100
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=resume_path trainer.resume_from_path=$LAST
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=resume_path trainer.resume_from_path=/path/to/checkpoint
# Any other mode does not look at it.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=auto trainer.resume_from_path=checkpoints/last
python3 -m verl.trainer.main_ppo $WHOLE trainer.resume_mode=disable trainer.resume_from_path=checkpoints/last

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE reward.reward_manager.source=importlib
python3 -m verl.trainer.main_ppo $WHOLE reward.reward_manager.source=importlib reward.reward_manager.module.path=manager.py

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE model_engine=megatron actor_rollout_ref.actor.megatron.router_replay.mode=R2 algorithm.rollout_correction.bypass_mode=True
python3 -m verl.trainer.main_ppo $WHOLE model_engine=megatron actor_rollout_ref.actor.megatron.router_replay.mode=R3 algorithm.rollout_correction.bypass_mode=True actor_rollout_ref.rollout.enable_rollout_routing_replay=True

# The samples of a mini-batch go to eight ranks, four with sequences over two GPUs, or two replicas.
MINI="$WHOLE trainer.n_gpus_per_node=8 trainer.nnodes=1 data.train_batch_size=60"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $MINI actor_rollout_ref.actor.ppo_mini_batch_size=12 actor_rollout_ref.rollout.n=5
python3 -m verl.trainer.main_ppo $MINI actor_rollout_ref.actor.ppo_mini_batch_size=12 actor_rollout_ref.rollout.n=6
python3 -m verl.trainer.main_ppo $MINI actor_rollout_ref.actor.ppo_mini_batch_size=12 actor_rollout_ref.rollout.n=5 actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=True
python3 -m verl.trainer.main_ppo $MINI model_engine=megatron actor_rollout_ref.actor.ppo_mini_batch_size=12 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $MINI model_engine=megatron actor_rollout_ref.actor.ppo_mini_batch_size=15 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4
# The experts have a grid of their own: two in a group times eight groups are sixteen GPUs.
EXPERTS="$WHOLE model_engine=megatron trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 actor_rollout_ref.actor.megatron.expert_model_parallel_size=8"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $EXPERTS trainer.nnodes=1 actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=1
python3 -m verl.trainer.main_ppo $EXPERTS trainer.nnodes=2
python3 -m verl.trainer.main_ppo $EXPERTS trainer.nnodes=1 actor_rollout_ref.actor.megatron.expert_tensor_parallel_size=1

# The longest sequence has 10240 tokens: it needs a micro-batch of its own that takes them all.
LONG="$WHOLE data.max_prompt_length=2048 data.max_response_length=8192"
ACTOR=actor_rollout_ref.actor
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=8192
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=10240
# A run that ends with the validation before training meets no micro-batch, and is checked all the same.
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=8192 trainer.val_only=True
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=8192 trainer.val_only=$VAL_ONLY
python3 -m verl.trainer.main_ppo $MINI actor_rollout_ref.actor.ppo_mini_batch_size=12 actor_rollout_ref.rollout.n=5 trainer.val_only=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=8192 trainer.val_only=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=8192 trainer.val_only=True trainer.val_before_train=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_batch_size=64 actor_rollout_ref.actor.ppo_mini_batch_size=128 trainer.val_only=True
python3 -m verl.trainer.main_ppo $LONG
python3 -m verl.trainer.main_ppo $WHOLE $ACTOR.use_dynamic_bsz=False $ACTOR.ppo_max_token_len_per_gpu=512 $ACTOR.ppo_micro_batch_size_per_gpu=1 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1
python3 -m verl.trainer.main_ppo $LONG data.max_response_length=$LENGTH $ACTOR.ppo_max_token_len_per_gpu=8192
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=5120 $ACTOR.fsdp_config.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=True
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=5120 model_engine=megatron $ACTOR.megatron.context_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG $ACTOR.ppo_max_token_len_per_gpu=5120 model_engine=megatron $ACTOR.megatron.tensor_model_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=8192
python3 -m verl.trainer.main_ppo $LONG actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=8192 algorithm.rollout_correction.bypass_mode=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG actor_rollout_ref.ref.log_prob_max_token_len_per_gpu=8192 $ACTOR.use_kl_loss=True
python3 -m verl.trainer.main_ppo $LONG actor_rollout_ref.ref.log_prob_max_token_len_per_gpu=8192
python3 -m verl.trainer.main_ppo $LONG actor_rollout_ref.ref.log_prob_max_token_len_per_gpu=8192 $ACTOR.use_kl_loss=True actor_rollout_ref.model.lora_rank=32

# A teacher that is added gets the default of the class, which is for an engine that a trainer sends weights.
TEACHERS=distillation.teacher_models
WHOLE="data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax actor_rollout_ref.rollout.name=vllm distillation.enabled=True distillation.nnodes=1"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE +$TEACHERS.math.key=math +$TEACHERS.math.model_path=m +$TEACHERS.code.key=code +$TEACHERS.code.model_path=c +$TEACHERS.code.inference.load_format=auto
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $TEACHERS.teacher_model.model_path=t $TEACHERS.teacher_model.inference.load_format=dummy
python3 -m verl.trainer.main_ppo $WHOLE +$TEACHERS.math.key=math +$TEACHERS.math.model_path=m +$TEACHERS.math.inference.load_format=safetensors
python3 -m verl.trainer.main_ppo $WHOLE $TEACHERS.teacher_model.model_path=t
python3 -m verl.trainer.main_ppo $WHOLE $TEACHERS.teacher_model.model_path=t actor_rollout_ref.rollout.temperature=0.7

# Nobody sends weights to the servers of this program.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_generation_server data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm
python3 -m verl.trainer.main_generation_server data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.load_format=auto
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_generation_server data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.load_format=auto actor_rollout_ref.rollout.temperature=0 actor_rollout_ref.rollout.n=4
python3 -m verl.trainer.main_generation_server data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.load_format=auto actor_rollout_ref.rollout.temperature=0 actor_rollout_ref.rollout.n=1
# An example that leaves settings out.
python3 -m verl.trainer.main_generation_server actor_rollout_ref.rollout.name=vllm

# The engine cuts what a rank gets of a mini-batch, and of a step, into micro-batches.
CUT="data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm algorithm.adv_estimator=grpo trainer.n_gpus_per_node=8 trainer.nnodes=1 actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.rollout.n=5 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8"
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16
# A step of 96 prompts is filled up to two mini-batches.
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=96
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=96 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=96 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=32
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=16
# With LoRA the actor without its adapter is the reference.
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=16 actor_rollout_ref.model.lora_rank=16
# A step without log-probabilities of its own cuts mini-batches only.
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16 algorithm.rollout_correction.bypass_mode=True actor_rollout_ref.rollout.calculate_log_probs=True
# What Hydra refuses does not hide what the engine refuses of a single value.
# snippet-checker: expect[conflicting-settings,unknown-key]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.rollout.dtype=bf16 trainer.my_own_key_of_mine=1

# The engine of the reference model knows the size of one GPU only.
# snippet-checker: expect[conflicting-settings,deprecated-key]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_micro_batch_size=16
# snippet-checker: expect[deprecated-key]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.ref.log_prob_micro_batch_size=16 actor_rollout_ref.model.lora_rank=16

# A critic sets Megatron's groups up before the actor does, by its own sizes.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo model_engine=megatron algorithm.adv_estimator=grpo trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.expert_model_parallel_size=8 actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2
python3 -m verl.trainer.main_ppo model_engine=megatron algorithm.adv_estimator=gae trainer.n_gpus_per_node=8 actor_rollout_ref.actor.megatron.expert_model_parallel_size=8 actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2

# Without chunked prefill verl raises the tokens, which it has frozen before.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.enable_chunked_prefill=False actor_rollout_ref.rollout.max_model_len=16384

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.enable_chunked_prefill=False actor_rollout_ref.rollout.max_model_len=16384 actor_rollout_ref.rollout.max_num_batched_tokens=16384

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.max_model_len=16384

# The model's own limit is not known here.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.enable_chunked_prefill=False
