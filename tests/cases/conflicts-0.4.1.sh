#!/usr/bin/env bash
# snippet-checker: release=0.4.1
# What the FSDP workers and vLLM's rollout assert at their start, and their neighbours.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m algorithm.adv_estimator=remax $ARR.actor.ppo_micro_batch_size_per_gpu=4 $ARR.rollout.log_prob_micro_batch_size_per_gpu=4 $ARR.ref.log_prob_micro_batch_size_per_gpu=4 trainer.n_gpus_per_node=8"

# Each rank gets 64 x 5 / 8 = 40 samples.
python3 -m verl.trainer.main_ppo $WHOLE data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 $ARR.rollout.n=5 $ARR.actor.ppo_micro_batch_size_per_gpu=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 $ARR.rollout.n=5 $ARR.actor.ppo_micro_batch_size_per_gpu=16
# Two GPUs share a sequence, so each rank gets 80.
python3 -m verl.trainer.main_ppo $WHOLE data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 $ARR.rollout.n=5 $ARR.actor.ppo_micro_batch_size_per_gpu=16 $ARR.actor.ulysses_sequence_parallel_size=2 $ARR.model.use_remove_padding=True
# The size is compared with dynamic batching, too.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 $ARR.rollout.n=5 $ARR.actor.ppo_micro_batch_size_per_gpu=16 $ARR.actor.use_dynamic_bsz=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=4

# The critic's mini-batch has all responses as well.
CRITIC="$WHOLE algorithm.adv_estimator=gae critic.model.path=m data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64"
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_mini_batch_size=64 critic.ppo_micro_batch_size_per_gpu=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_mini_batch_size=64 critic.ppo_micro_batch_size_per_gpu=16

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.tensor_model_parallel_size=3
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.n_gpus_per_node=1 $ARR.actor.ppo_mini_batch_size=16
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.tensor_model_parallel_size=4

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.ulysses_sequence_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.ref.ulysses_sequence_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_mini_batch_size=64 critic.ppo_micro_batch_size_per_gpu=8 critic.ulysses_sequence_parallel_size=2
# FSDP2 is not asked.
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.ulysses_sequence_parallel_size=2 $ARR.actor.strategy=fsdp2

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.enforce_eager=False
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.enforce_eager=False $ARR.rollout.free_cache_engine=False
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.enforce_eager=False $ARR.rollout.mode=async

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE data.max_prompt_length=2048 data.max_response_length=8192
python3 -m verl.trainer.main_ppo $WHOLE data.max_prompt_length=2048 data.max_response_length=8192 $ARR.rollout.enable_chunked_prefill=False
python3 -m verl.trainer.main_ppo $WHOLE data.max_prompt_length=2048 data.max_response_length=8192 $ARR.rollout.max_num_batched_tokens=10240
python3 -m verl.trainer.main_ppo $WHOLE data.max_prompt_length=2048 data.max_response_length=8192 $ARR.rollout.max_model_len=8192
python3 -m verl.trainer.main_ppo $WHOLE data.max_prompt_length=2048 data.max_response_length=8192 $ARR.rollout.name=sglang

# vLLM and SGLang refuse these themselves.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.top_p=10
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.gpu_memory_utilization=80
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.dtype=bf16
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.dtype=half $ARR.rollout.top_p=1.0 $ARR.rollout.gpu_memory_utilization=0.8

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.strategy=fsdp critic.strategy=megatron
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.strategy=fsdp2 critic.strategy=fsdp

TURNS="$WHOLE algorithm.adv_estimator=grpo $ARR.rollout.n=8"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $TURNS $ARR.rollout.multi_turn.enable=True
python3 -m verl.trainer.main_ppo $TURNS $ARR.rollout.multi_turn.enable=True $ARR.rollout.multi_turn.tool_config_path=tools.yaml
python3 -m verl.trainer.main_ppo $TURNS $ARR.rollout.multi_turn.enable=True $ARR.rollout.multi_turn.interaction_config_path=partner.yaml
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.multi_turn.enable=True $ARR.rollout.multi_turn.tool_config_path=tools.yaml algorithm.adv_estimator=rloo

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_generation data.n_samples=5 rollout.temperature=0
python3 -m verl.trainer.main_generation data.n_samples=1 rollout.temperature=0

# How many GPUs share a sequence, only the launch says.
# snippet-checker: expect[conflicting-settings,deprecated-key]
python3 -m verl.trainer.main_ppo $ARR.actor.ppo_micro_batch_size=4 trainer.n_gpus_per_node=8
# snippet-checker: expect[deprecated-key]
python3 -m verl.trainer.main_ppo $ARR.actor.ppo_micro_batch_size=4 trainer.n_gpus_per_node=8 $ARR.actor.ulysses_sequence_parallel_size=$SHARED
