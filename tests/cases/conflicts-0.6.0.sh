#!/usr/bin/env bash
# snippet-checker: release=0.6.0
# What 0.6.1 was the first to refuse: get_vllm_max_lora_rank is new in its vllm_rollout/utils.py.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax"
python3 -m verl.trainer.main_ppo $WHOLE $ARR.model.lora_rank=1024
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.tensor_model_parallel_size=3 trainer.n_gpus_per_node=8 trainer.nnodes=1
