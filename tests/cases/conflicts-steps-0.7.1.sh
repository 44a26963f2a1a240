#!/usr/bin/env bash
# snippet-checker: release=0.7.1
# What the trainer, its agent loops and its reward managers assert of settings, and what they ignore.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=4 algorithm.adv_estimator=remax"

# Answers are dealt out to eight agent loops, unless there are fewer.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.ppo_mini_batch_size=12 data.train_batch_size=12
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.ppo_mini_batch_size=12 data.train_batch_size=12 $ARR.rollout.n=2
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.ppo_mini_batch_size=12 data.train_batch_size=12 $ARR.rollout.agent.num_workers=4

# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE trainer.default_hdfs_dir=hdfs://here
python3 -m verl.trainer.main_ppo $WHOLE trainer.default_hdfs_dir=null
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.hybrid_engine=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE +algorithm.filter_groups.enable=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE data.sampler.class_path=mine.py data.sampler.class_name=Mine
python3 -m verl.trainer.main_ppo $WHOLE data.sampler.class_path=mine.py data.sampler.class_name=Mine data.dataloader_num_workers=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.grad_clip=null
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.rollout_correction.rollout_is=token
python3 -m verl.trainer.main_ppo $WHOLE algorithm.rollout_correction.rollout_is=token $ARR.rollout.calculate_log_probs=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.ulysses_sequence_parallel_size=8 $ARR.model.path=Qwen/Qwen2.5-7B trainer.nnodes=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.fsdp_config.forward_prefetch=True $ARR.actor.strategy=fsdp2
# FSDP honours it.
python3 -m verl.trainer.main_ppo $WHOLE $ARR.actor.fsdp_config.forward_prefetch=True
