#!/usr/bin/env bash
# PPO with a critic and a KL penalty in the reward, 7B models, eight 80 GB GPUs, for verl 0.9.1.
set -euo pipefail

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=gae \
    algorithm.lam=0.95 \
    algorithm.use_kl_in_reward=True \
    algorithm.kl_ctrl.kl_coef=0.001 \
    data.train_files=$HOME/data/math/train.parquet \
    data.val_files=$HOME/data/math/test.parquet \
    data.train_batch_size=1024 \
    data.max_prompt_length=1024 \
    data.max_response_length=3072 \
    data.filter_overlong_prompts=True \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
    actor_rollout_ref.actor.strategy=fsdp2 \
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=32768 \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=1 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=1 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    actor_rollout_ref.rollout.max_model_len=4096 \
    critic.model.path=Qwen/Qwen2.5-7B-Instruct \
    critic.strategy=fsdp2 \
    critic.optim.lr=1e-5 \
    critic.fsdp.param_offload=True \
    critic.fsdp.optimizer_offload=True \
    +critic.ppo_infer_max_token_len_per_gpu=32768 \
    trainer.critic_warmup=5 \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    trainer.total_epochs=3 \
    trainer.save_freq=20 \
    trainer.test_freq=10 \
    trainer.project_name=recipes \
    trainer.experiment_name=ppo-critic \
    trainer.logger='["console"]'
