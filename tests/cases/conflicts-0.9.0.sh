#!/usr/bin/env bash
# snippet-checker: release=0.9.0
# What 0.9.1 was the first to refuse: _validate_router_replay_config in verl/utils/config.py is new there.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax"
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm model_engine=megatron $ARR.actor.megatron.router_replay.mode=R2 algorithm.rollout_correction.bypass_mode=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.model.lora_rank=1024 $ARR.rollout.name=vllm
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.log_prob_use_dynamic_bsz=False $ARR.rollout.log_prob_micro_batch_size_per_gpu=1
