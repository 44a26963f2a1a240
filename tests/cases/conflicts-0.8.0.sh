#!/usr/bin/env bash
# snippet-checker: release=0.8.0
# What 0.8.0 alone refuses: from 0.9.0 on a teacher scores at a temperature of 1 whatever it is told.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax $ARR.rollout.name=vllm"
FIRST=distillation.teacher_models.teacher_model
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE distillation.nnodes=1 $FIRST.model_path=t $ARR.rollout.temperature=0.7 distillation.enabled=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE distillation.nnodes=1 $FIRST.model_path=t $FIRST.inference.temperature=0.6 distillation.enabled=True
python3 -m verl.trainer.main_ppo $WHOLE distillation.nnodes=1 $FIRST.model_path=t $ARR.rollout.temperature=0.7 $FIRST.inference.temperature=1.0 distillation.enabled=True
python3 -m verl.trainer.main_ppo $WHOLE distillation.nnodes=1 $FIRST.model_path=t distillation.enabled=True
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.temperature=0.7
# Known at launch only.
python3 -m verl.trainer.main_ppo $WHOLE distillation.nnodes=1 $FIRST.model_path=t $ARR.rollout.temperature=$T distillation.enabled=True
# An added teacher has a temperature of its own, and takes the place of the first one.
python3 -m verl.trainer.main_ppo $WHOLE distillation.nnodes=1 $ARR.rollout.temperature=0.7 +distillation.teacher_models.math.key=math +distillation.teacher_models.math.model_path=m distillation.enabled=True

# The engine cuts what a rank gets of a mini-batch, and of a step, into micro-batches.
CUT="data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm algorithm.adv_estimator=grpo trainer.n_gpus_per_node=8 actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.rollout.n=5 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8"
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16 actor_rollout_ref.actor.use_dynamic_bsz=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=64 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16
# A rest of 32 prompts is no mini-batch.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $CUT data.train_batch_size=96 actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4
