#!/usr/bin/env bash
# What the parts of verl assert of settings at their start or in the first step, and its neighbours.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8"

# A group of one answer has nothing to be compared with: compute_grpo_outcome_advantage.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=grpo
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=grpo $ARR.rollout.n=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=grpo_passk
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=grpo_passk $ARR.rollout.n=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=gdpo
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=gdpo +algorithm.gdpo_reward_keys=[a,b]
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=optimal_token_baseline
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=optimal_token_baseline trainer.use_v1=False
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=optimal_token_baseline trainer.use_v1=False $ARR.actor.calculate_sum_pi_squared=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=optimal_token_baseline trainer.use_v1=False $ARR.actor.calculate_sum_pi_squared=True $ARR.model.use_fused_kernels=True
# A student without rewards is compared with nobody.
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=grpo distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=2 distillation.teacher_models.teacher_model.model_path=t distillation.distillation_loss.loss_mode=k1 distillation.distillation_loss.use_policy_gradient=True distillation.distillation_loss.use_task_rewards=False

# Losses.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.clip_ratio_c=1
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.clip_ratio_c=1.1
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.clip_ratio_c=1 $ARR.actor.policy_loss.loss_mode=gspo
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.policy_loss.loss_mode=clip_cov $ARR.actor.policy_loss.clip_cov_ratio=0
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.policy_loss.loss_mode=kl_cov $ARR.actor.policy_loss.clip_cov_ratio=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.policy_loss.loss_mode=dro
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.policy_loss.loss_mode=dro +$ARR.actor.policy_loss.dro_beta=0.5
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.optim.clip_grad=null
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.optim.clip_grad=1e9
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.use_kl_in_reward=True algorithm.kl_ctrl.type=adaptive algorithm.kl_ctrl.horizon=0
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.use_kl_in_reward=True algorithm.kl_ctrl.type=adaptive algorithm.kl_ctrl.horizon=1

# Corrections take the rollout's log-probabilities.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.bypass_mode=True $ARR.rollout.calculate_log_probs=False
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.bypass_mode=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.rollout_is=token $ARR.rollout.calculate_log_probs=False
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.rollout_is=token
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.rollout_rs=token_k1
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.rollout_rs=token_k1 algorithm.rollout_correction.rollout_rs_threshold=0.5_2.0

# Only the new trainer filters groups.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc trainer.use_v1=False
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.filter_groups.enable=True algorithm.filter_groups.metric=acc algorithm.filter_groups.max_inflight_gen_batches=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.filter_groups.metric=acc

# The trainers.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 data.gen_batch_size=48
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax data.train_batch_size=64 $ARR.actor.ppo_mini_batch_size=64 data.gen_batch_size=32
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.v1.sampler.max_off_policy_threshold=0
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.v1.sampler.max_off_policy_threshold=1
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.v1.sampler.max_off_policy_threshold=null
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.use_v1=False trainer.default_hdfs_dir=hdfs://here/there
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.use_v1=False trainer.default_hdfs_dir=hdfs://here/there trainer.resume_mode=disable
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.use_v1=False trainer.default_hdfs_dir=null
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.use_v1=False $ARR.hybrid_engine=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.val_only=True trainer.val_before_train=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.use_v1=False data.train_batch_size=4 $ARR.actor.ppo_mini_batch_size=4 trainer.n_gpus_per_node=4
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.use_v1=False data.train_batch_size=4 $ARR.actor.ppo_mini_batch_size=4 trainer.n_gpus_per_node=4 $ARR.rollout.agent.num_workers=4
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax data.train_batch_size=4 $ARR.actor.ppo_mini_batch_size=4 trainer.n_gpus_per_node=4

# The reward of overlong answers.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax reward.reward_manager.name=dapo +reward.reward_kwargs.overlong_buffer_cfg.enable=True +reward.reward_kwargs.overlong_buffer_cfg.len=512
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax reward.reward_manager.name=dapo +reward.reward_kwargs.overlong_buffer_cfg.enable=True +reward.reward_kwargs.overlong_buffer_cfg.len=512 +reward.reward_kwargs.max_resp_len=511
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax reward.reward_manager.name=dapo +reward.reward_kwargs.overlong_buffer_cfg.enable=True +reward.reward_kwargs.overlong_buffer_cfg.len=512 +reward.reward_kwargs.max_resp_len=512
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax +reward.reward_kwargs.overlong_buffer_cfg.enable=True +reward.reward_kwargs.overlong_buffer_cfg.len=512 +reward.reward_kwargs.max_resp_len=512

# Servers.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.prometheus.enable=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.prometheus.enable=True $ARR.rollout.disable_log_stats=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.max_num_batched_tokens=255 $ARR.rollout.max_num_seqs=256
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.max_num_batched_tokens=256 $ARR.rollout.max_num_seqs=256
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.nnodes=3 $ARR.rollout.tensor_model_parallel_size=12 data.train_batch_size=24 $ARR.actor.ppo_mini_batch_size=24
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax trainer.nnodes=2 $ARR.rollout.tensor_model_parallel_size=16
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.data_parallel_size=2 $ARR.rollout.tensor_model_parallel_size=3 trainer.n_gpus_per_node=8
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.data_parallel_size=2 $ARR.rollout.tensor_model_parallel_size=4 trainer.n_gpus_per_node=8
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.disaggregation.enabled=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.disaggregation.enabled=True $ARR.rollout.disaggregation.prefill_replicas=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.disaggregation.enabled=True $ARR.rollout.disaggregation.decode_replicas=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.disaggregation.enabled=True $ARR.rollout.tensor_model_parallel_size=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.disaggregation.enabled=True $ARR.rollout.data_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax +$ARR.rollout.moe_tensor_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.checkpoint_engine.backend=delta_sharded $ARR.rollout.data_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora_rank=32 $ARR.rollout.layered_summon=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora_rank=32 $ARR.rollout.layered_summon=True $ARR.rollout.load_format=safetensors
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.layered_summon=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.val_kwargs.n=8
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.val_kwargs.n=8 $ARR.rollout.val_kwargs.temperature=1.0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.val_kwargs.do_sample=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.rollout.val_kwargs.do_sample=True $ARR.rollout.val_kwargs.temperature=0.6

# Distillation.
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.teacher_models.teacher_model.inference.tensor_model_parallel_size=3
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.distillation_loss.loss_mode=k1
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.distillation_loss.loss_mode=k1 distillation.distillation_loss.use_policy_gradient=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.distillation_loss.policy_loss_mode=gspo
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.teacher_models.teacher_model.inference.max_model_len=1024
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.teacher_models.teacher_model.inference.max_model_len=1025
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.enabled=True distillation.nnodes=1 distillation.n_gpus_per_node=8 distillation.teacher_models.teacher_model.model_path=t distillation.distillation_loss.loss_mode=forward_kl_topk +distillation.teacher_models.teacher_model.inference.engine_kwargs.vllm.max_logprobs=10
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax distillation.teacher_models.teacher_model.model_path=t

# Megatron.
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.virtual_pipeline_model_parallel_size=2
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.virtual_pipeline_model_parallel_size=2 $ARR.actor.megatron.pipeline_model_parallel_size=2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.expert_model_parallel_size=2 $ARR.actor.megatron.sequence_parallel=False
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.sequence_parallel=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.dynamic_context_parallel=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.dynamic_context_parallel=True $ARR.actor.megatron.max_seqlen_per_dp_cp_rank=4096
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.dynamic_context_parallel=True $ARR.actor.megatron.max_seqlen_per_dp_cp_rank=4096 $ARR.model.use_remove_padding=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.dynamic_context_parallel=True $ARR.actor.megatron.max_seqlen_per_dp_cp_rank=4096 $ARR.actor.megatron.pad_to_length=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.use_dist_checkpointing=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax model_engine=megatron $ARR.actor.megatron.tensor_model_parallel_size=2 $ARR.actor.megatron.use_dist_checkpointing=True $ARR.actor.megatron.dist_checkpointing_path=p

# Models that are known by their names, of others and of further training, too.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-7B-Instruct $ARR.rollout.tensor_model_parallel_size=8
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-7B-Instruct $ARR.rollout.tensor_model_parallel_size=4
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=/models/Qwen2.5-0.5B-sft $ARR.rollout.tensor_model_parallel_size=4
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen3-8B $ARR.rollout.tensor_model_parallel_size=8
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=somebody/Qwen2.5-70B $ARR.rollout.tensor_model_parallel_size=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-7B $ARR.actor.fsdp_config.ulysses_sequence_parallel_size=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-7B $ARR.actor.fsdp_config.ulysses_sequence_parallel_size=7 trainer.n_gpus_per_node=7 data.train_batch_size=70 $ARR.actor.ppo_mini_batch_size=70 $ARR.rollout.tensor_model_parallel_size=1
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-7B $ARR.actor.fsdp_config.ulysses_sequence_parallel_size=4
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-Math-7B $ARR.rollout.max_model_len=8192
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=/models/Qwen2.5-Math-7B $ARR.rollout.max_model_len=8192
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=Qwen/Qwen2.5-Math-7B $ARR.rollout.max_model_len=4096
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=/models/Qwen2.5-Math-7B $ARR.rollout.max_model_len=8192 +$ARR.model.override_config.max_position_embeddings=8192
# The end of a path is enough, and a whole name that only the launch knows says nothing.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=$HOME/models/Qwen2.5-7B-Instruct $ARR.rollout.tensor_model_parallel_size=8
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=$HOME/models/Qwen2.5-7B-Instruct $ARR.rollout.tensor_model_parallel_size=4
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.rollout.name=vllm $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 algorithm.adv_estimator=remax $ARR.model.path=$HOME/Qwen2.5-$SIZE $ARR.rollout.tensor_model_parallel_size=8

# Settings of no engine, and options of requests.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax +$ARR.rollout.engine_kwargs.gpt_oss.enforce_eager=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax +$ARR.rollout.engine_kwargs.vllm.enforce_eager=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax +$ARR.rollout.engine_kwargs.vllm.return_token_ids=True

# Megatron's optimizer, what it recomputes by, and the routes it replays.
MEGATRON="$WHOLE algorithm.adv_estimator=remax model_engine=megatron"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $MEGATRON $ARR.actor.megatron.use_distributed_optimizer=False +$ARR.actor.optim.override_optimizer_config.use_precision_aware_optimizer=True
python3 -m verl.trainer.main_ppo $MEGATRON +$ARR.actor.optim.override_optimizer_config.use_precision_aware_optimizer=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $MEGATRON $ARR.model.enable_gradient_checkpointing=True
python3 -m verl.trainer.main_ppo $MEGATRON $ARR.model.enable_gradient_checkpointing=True +$ARR.actor.megatron.override_transformer_config.recompute_granularity=full
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $MEGATRON $ARR.actor.megatron.router_replay.mode=R3
python3 -m verl.trainer.main_ppo $MEGATRON $ARR.actor.megatron.router_replay.mode=R3 $ARR.rollout.enable_rollout_routing_replay=True

# Settings that count with another one only, which nobody set.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.kl_loss_coef=0.01
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.kl_loss_coef=0.01 $ARR.actor.use_kl_loss=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.kl_loss_coef=0.01 $ARR.actor.use_kl_loss=False
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.kl_loss_coef=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.kl_ctrl.kl_coef=0.01
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.kl_ctrl.kl_coef=0.01 algorithm.use_kl_in_reward=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora_alpha=32
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora_alpha=32 $ARR.model.lora_rank=16
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora_alpha=32 $ARR.model.lora_adapter_path=a
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora.rank=16
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora.rank=16 $ARR.model.lora_rank=16
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.model.lora.rank=16 model_engine=megatron
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.clip_ratio=0.3
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.clip_ratio=0.3 $ARR.actor.clip_ratio_low=0.3 $ARR.actor.clip_ratio_high=0.3
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.clip_ratio=0.2 $ARR.actor.clip_ratio_high=0.28
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.fsdp_config.offload_policy=True
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax $ARR.actor.fsdp_config.offload_policy=True $ARR.actor.strategy=fsdp2
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax data.custom_cls.name=Mine
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax data.custom_cls.name=Mine data.custom_cls.path=mine.py
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax reward.custom_reward_function.name=mine
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax reward.reward_model.model_path=rm
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax reward.reward_model.model_path=rm reward.reward_model.enable=False
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.rollout_correction.rollout_is_threshold=5.0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE algorithm.adv_estimator=remax algorithm.pf_ppo.weight_pow=3.0
# An example that leaves settings out may leave out the switch.
python3 -m verl.trainer.main_ppo $ARR.actor.kl_loss_coef=0.01
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm algorithm.adv_estimator=remax $ARR.actor.ppo_micro_batch_size_per_gpu=4 $ARR.rollout.log_prob_micro_batch_size_per_gpu=4 $ARR.actor.ppo_max_token_len_per_gpu=20000

# Sizes by which GPUs are divided, and groups that leave some of them over.
SIZES="data.train_files=a.parquet $ARR.model.path=m $ARR.rollout.name=vllm algorithm.adv_estimator=remax $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=8 trainer.nnodes=1"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.fsdp_config.fsdp_size=3
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.fsdp_config.fsdp_size=0
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.fsdp_config.fsdp_size=4
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.fsdp_config.fsdp_size=-1
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.fsdp_config.fsdp_size=16
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.rollout.data_parallel_size=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.lr=-1e-6
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.lr=0
# snippet-checker: expect[conflicting-settings]
torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer data.train_files=a.parquet model.path=m engine.ulysses_sequence_parallel_size=2 model.use_remove_padding=False
torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer data.train_files=a.parquet model.path=m engine.ulysses_sequence_parallel_size=2

# The evaluation reads a section that its config does not have.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_eval data.path=a.parquet custom_reward_function.path=r.py
python3 -m verl.trainer.main_eval data.path=a.parquet +reward.custom_reward_function.path=r.py +reward.custom_reward_function.name=f
python3 -m verl.trainer.main_eval

# Numbers and arguments that PyTorch's AdamW, its DataLoader or verl's dataclasses refuse.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.betas=[0.9]
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.betas=[0.9,1.5]
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.betas=[0.9,1.0]
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.betas=[-0.5,0.9]
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.strategy=fsdp2 $ARR.actor.optim.betas=[0.9]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.betas=[0.9,0.95] $ARR.actor.optim.weight_decay=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.weight_decay=-0.1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.override_optimizer_config={epsilon:1e-6}
python3 -m verl.trainer.main_ppo $SIZES "$ARR.actor.optim.override_optimizer_config={eps:1e-6,fused:True}"
# Another AdamW has arguments of its own.
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.optimizer_impl=bitsandbytes.optim $ARR.actor.optim.override_optimizer_config={optim_bits:8}
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.optim.optimizer_impl=torchao.optim $ARR.actor.optim.optimizer=_AdamW $ARR.actor.optim.override_optimizer_config={bf16_stochastic_round:True}
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES data.dataloader_num_workers=-1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES global_profiler.global_tool_config.torch_memory.stack_depth=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.profiler.tool_config.torch.schedule.wait=-1
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.profiler.tool_config.torch.schedule.active=0
CRITIC="critic.enable=True critic.use_dynamic_bsz=True"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $CRITIC critic.optim.lr=-1
python3 -m verl.trainer.main_ppo $SIZES critic.enable=False critic.optim.lr=-1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $CRITIC critic.optim.betas=[0.9]
python3 -m verl.trainer.main_ppo $SIZES critic.enable=False critic.optim.betas=[0.9]
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $CRITIC critic.fsdp.fsdp_size=0

# Batches of nothing, and a critic's mini-batch that its ranks cannot share.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.rollout.n=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.ppo_mini_batch_size=0
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $CRITIC critic.ppo_mini_batch_size=6
python3 -m verl.trainer.main_ppo $SIZES $CRITIC critic.ppo_mini_batch_size=8
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.use_dynamic_bsz=False $ARR.actor.ppo_micro_batch_size_per_gpu=0 $ARR.rollout.log_prob_micro_batch_size_per_gpu=1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $SIZES $ARR.actor.use_dynamic_bsz=False $ARR.actor.ppo_micro_batch_size_per_gpu=1 $ARR.rollout.log_prob_micro_batch_size_per_gpu=0

SFT="torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer data.train_files=a.parquet model.path=m"
# snippet-checker: expect[conflicting-settings]
$SFT data.max_length=4096 data.max_token_len_per_gpu=2048
$SFT data.max_length=4096 data.max_token_len_per_gpu=2048 engine.ulysses_sequence_parallel_size=2
$SFT data.max_length=4096 data.max_token_len_per_gpu=2048 data.use_dynamic_bsz=False
# snippet-checker: expect[conflicting-settings]
$SFT data.micro_batch_size_per_gpu=0 data.use_dynamic_bsz=False
# snippet-checker: expect[conflicting-settings]
$SFT data.num_workers=-1
# snippet-checker: expect[conflicting-settings]
$SFT optim.lr=-1
# snippet-checker: expect[conflicting-settings]
$SFT optim.betas=[0.9]
# snippet-checker: expect[conflicting-settings]
$SFT engine.fsdp_size=0
# snippet-checker: expect[conflicting-settings]
$SFT trainer.resume_mode=resume_path
$SFT trainer.resume_mode=resume_path trainer.resume_from_path=global_step_10

# Where groups are filtered, a step has as many samples as are left.
STEP="data.train_files=a.parquet actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm algorithm.adv_estimator=remax data.train_batch_size=8 actor_rollout_ref.actor.ppo_mini_batch_size=8 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1 actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=False trainer.n_gpus_per_node=8"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $STEP actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=3
python3 -m verl.trainer.main_ppo $STEP actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=3 algorithm.filter_groups.enable=True
