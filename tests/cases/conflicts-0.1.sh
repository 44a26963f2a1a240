#!/usr/bin/env bash
# snippet-checker: release=0.1
# The first release divides the mini-batch and the micro-batch among the GPUs.

WHOLE="data.train_files=a.parquet actor_rollout_ref.model.path=m critic.model.path=m trainer.n_gpus_per_node=8 trainer.nnodes=4"
BATCHES="$WHOLE actor_rollout_ref.actor.ppo_mini_batch_size=256 critic.ppo_mini_batch_size=256 critic.ppo_micro_batch_size=64"
python3 -m verl.trainer.main_ppo $BATCHES actor_rollout_ref.actor.ppo_micro_batch_size=64
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $BATCHES actor_rollout_ref.actor.ppo_micro_batch_size=16
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $BATCHES actor_rollout_ref.actor.ppo_micro_batch_size=96
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE actor_rollout_ref.actor.ppo_mini_batch_size=16 actor_rollout_ref.actor.ppo_micro_batch_size=32 critic.ppo_mini_batch_size=256 critic.ppo_micro_batch_size=64
