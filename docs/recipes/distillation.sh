#!/usr/bin/env bash
# On-policy distillation of a 32B teacher into a 7B student, one node of eight 80 GB GPUs, for verl 0.9.1.
set -euo pipefail

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=$HOME/data/math/train.parquet \
    data.val_files=$HOME/data/math/test.parquet \
    data.train_batch_size=512 \
    data.max_prompt_length=1024 \
    data.max_response_length=3072 \
    data.filter_overlong_prompts=True \
    distillation.enabled=True \
    distillation.nnodes=1 \
    distillation.n_gpus_per_node=4 \
    distillation.teacher_models.teacher_model.model_path=Qwen/Qwen2.5-32B-Instruct \
    distillation.teacher_models.teacher_model.inference.tensor_model_parallel_size=2 \
    distillation.teacher_models.teacher_model.inference.gpu_memory_utilization=0.8 \
    distillation.teacher_models.teacher_model.inference.max_model_len=4097 \
    distillation.distillation_loss.loss_mode=k1 \
    distillation.distillation_loss.use_policy_gradient=True \
    distillation.distillation_loss.use_task_rewards=False \
    distillation.distillation_loss.loss_max_clamp=10.0 \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
    actor_rollout_ref.actor.strategy=fsdp2 \
    actor_rollout_ref.actor.ppo_mini_batch_size=128 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=32768 \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=65536 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=1 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=1 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.5 \
    actor_rollout_ref.rollout.max_model_len=4096 \
    trainer.n_gpus_per_node=4 \
    trainer.nnodes=1 \
    trainer.total_epochs=3 \
    trainer.save_freq=20 \
    trainer.test_freq=10 \
    trainer.project_name=recipes \
    trainer.experiment_name=distillation \
    trainer.logger='["console"]'
