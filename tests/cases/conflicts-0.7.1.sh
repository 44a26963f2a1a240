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
python3 -m verl.trainer.main_ppo $LONG algorithm.adv_estimator=grpo critic.ppo_max_token_len_per_gpu=8192
