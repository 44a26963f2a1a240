#!/usr/bin/env bash
# GRPO with a dense 32B model on four nodes of eight 80 GB GPUs, FSDP2, for verl 0.9.1.
set -euo pipefail

# Run this on one node, once `ray status` counts 32 GPUs. $HOME is the same folder on every node.
export RAY_ADDRESS=auto

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=$HOME/data/math/train.parquet \
    data.val_files=$HOME/data/math/test.parquet \
    data.train_batch_size=512 \
    data.max_prompt_length=2048 \
    data.max_response_length=6144 \
    data.filter_overlong_prompts=True \
    actor_rollout_ref.model.path=$HOME/models/Qwen2.5-32B-Instruct \
    actor_rollout_ref.actor.strategy=fsdp2 \
    actor_rollout_ref.actor.ppo_mini_batch_size=128 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=24576 \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=4 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.7 \
    actor_rollout_ref.rollout.max_model_len=8192 \
    actor_rollout_ref.rollout.max_num_seqs=512 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=4 \
    trainer.total_epochs=3 \
    trainer.save_freq=10 \
    trainer.test_freq=10 \
    trainer.project_name=recipes \
    trainer.experiment_name=multi-node \
    trainer.default_local_dir=$HOME/checkpoints/recipes/multi-node \
    trainer.logger='["console"]'
