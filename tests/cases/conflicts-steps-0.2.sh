#!/usr/bin/env bash
# snippet-checker: release=0.2
# The kinds of models that are packed.

WHOLE="data.train_files=a.parquet actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8 actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=8 algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=4 trainer.nnodes=1 trainer.n_gpus_per_node=8"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.model.path=google/gemma-2-2b-it actor_rollout_ref.model.use_remove_padding=True
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.model.path=google/gemma-2-2b-it
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.model.path=Qwen/Qwen2.5-3B actor_rollout_ref.model.use_remove_padding=True
