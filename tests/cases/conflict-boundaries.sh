#!/usr/bin/env bash
# Where a number begins to be refused: the last one that verl takes, and the next one.

RUN="python3 -m verl.trainer.main_ppo"
BATCH="data.train_batch_size=64 trainer.n_gpus_per_node=8"
$RUN $BATCH actor_rollout_ref.actor.ppo_mini_batch_size=64
# snippet-checker: expect[conflicting-settings]
$RUN $BATCH actor_rollout_ref.actor.ppo_mini_batch_size=65

# The ranks that vLLM takes end with 512: get_vllm_max_lora_rank in verl/workers/rollout/vllm_rollout/utils.py.
$RUN actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.lora_rank=512
# snippet-checker: expect[conflicting-settings]
$RUN actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.lora_rank=513

SAMPLE="actor_rollout_ref.rollout.val_kwargs.do_sample=True"
$RUN $SAMPLE actor_rollout_ref.rollout.temperature=0.01
# snippet-checker: expect[conflicting-settings]
$RUN $SAMPLE actor_rollout_ref.rollout.temperature=0
# snippet-checker: expect[conflicting-settings]
$RUN $SAMPLE actor_rollout_ref.rollout.temperature=-0.5

# One GPU is no parallelism, and needs no packing.
$RUN actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size=1 actor_rollout_ref.model.use_remove_padding=False
# snippet-checker: expect[conflicting-settings]
$RUN actor_rollout_ref.actor.fsdp_config.ulysses_sequence_parallel_size=2 actor_rollout_ref.model.use_remove_padding=False
$RUN actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.pipeline_model_parallel_size=1
# snippet-checker: expect[conflicting-settings]
$RUN actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.pipeline_model_parallel_size=2

# 8 GPUs in parts of 8 and of 16.
GPUS="trainer.n_gpus_per_node=8 trainer.nnodes=1"
$RUN $GPUS actor_rollout_ref.rollout.tensor_model_parallel_size=8
# snippet-checker: expect[conflicting-settings]
$RUN $GPUS actor_rollout_ref.rollout.tensor_model_parallel_size=16

# 2048 + 8192 tokens: the budget for the reference model, whose GPUs may share a sequence, too.
ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax"
LONG="$WHOLE data.max_prompt_length=2048 data.max_response_length=8192 $ARR.actor.use_kl_loss=True"
python3 -m verl.trainer.main_ppo $LONG $ARR.ref.log_prob_max_token_len_per_gpu=10240
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG $ARR.ref.log_prob_max_token_len_per_gpu=10239
python3 -m verl.trainer.main_ppo $LONG $ARR.ref.log_prob_max_token_len_per_gpu=5120 $ARR.ref.fsdp_config.ulysses_sequence_parallel_size=2
