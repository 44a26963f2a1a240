#!/usr/bin/env bash
# snippet-checker: release=0.7.1
# Settings that an older release refuses together, and their neighbours that it takes.

# Every sequence is padded to the longest one, and the critic has budgets too.
LONG="data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm actor_rollout_ref.actor.use_dynamic_bsz=True data.max_prompt_length=2048 data.max_response_length=8192"
CRITIC="$LONG algorithm.adv_estimator=gae critic.model.path=m"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_max_token_len_per_gpu=8192
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_max_token_len_per_gpu=8192 trainer.val_before_train=False trainer.val_only=True
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_max_token_len_per_gpu=8192 trainer.val_only=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CRITIC critic.forward_max_token_len_per_gpu=8192
python3 -m verl.trainer.main_ppo $CRITIC critic.ppo_max_token_len_per_gpu=8192 critic.ulysses_sequence_parallel_size=2 critic.model.use_remove_padding=True
python3 -m verl.trainer.main_ppo $LONG algorithm.adv_estimator=remax critic.ppo_max_token_len_per_gpu=8192

# The workers for FSDP cut the mini-batch at their start; the engine's do not.
ARR=actor_rollout_ref
CUT="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm algorithm.adv_estimator=grpo $ARR.rollout.log_prob_micro_batch_size_per_gpu=4 trainer.n_gpus_per_node=8 data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 $ARR.rollout.n=5"
python3 -m verl.trainer.main_ppo $CUT $ARR.actor.ppo_micro_batch_size_per_gpu=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT $ARR.actor.ppo_micro_batch_size_per_gpu=16
python3 -m verl.trainer.main_ppo $CUT $ARR.actor.ppo_micro_batch_size_per_gpu=16 trainer.use_legacy_worker_impl=disable
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CRITIC critic.ulysses_sequence_parallel_size=2 critic.ppo_micro_batch_size_per_gpu=1

# Which workers run, only the launch may say.
TWO="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm algorithm.adv_estimator=remax $ARR.rollout.log_prob_micro_batch_size_per_gpu=4 $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 data.train_batch_size=8 $ARR.rollout.n=1"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $TWO $ARR.actor.ppo_mini_batch_size=4
python3 -m verl.trainer.main_ppo $TWO $ARR.actor.ppo_mini_batch_size=4 trainer.use_legacy_worker_impl=$WORKERS

# 16 GPUs give each of 8 heads for keys and values to two of them.
python3 -m verl.trainer.main_ppo $ARR.model.path=Qwen/Qwen3-8B $ARR.actor.ulysses_sequence_parallel_size=16 trainer.nnodes=2 trainer.n_gpus_per_node=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $ARR.model.path=Qwen/Qwen2.5-7B-Instruct $ARR.actor.ulysses_sequence_parallel_size=7 trainer.n_gpus_per_node=7
# Megatron shares sequences by other sizes.
python3 -m verl.trainer.main_ppo $ARR.model.path=Qwen/Qwen2.5-7B-Instruct $ARR.actor.ulysses_sequence_parallel_size=7 $ARR.actor.strategy=megatron trainer.n_gpus_per_node=7
