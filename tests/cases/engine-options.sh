# Options that verl hands to the engine, and that the engine refuses.

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space=4

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm '+actor_rollout_ref.rollout.engine_kwargs.vllm={max_nun_seqs: 8, block_size: 32}'

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=sglang +actor_rollout_ref.rollout.engine_kwargs.sglang.enable_ep_moe=null

# It is a field of the engine's, and no flag of its server.
# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.mamba_config.backend=triton

# Only the launch says which engine runs.
# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=$1 +actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache=True

# Left alone: known ones, a shortened flag, one that is switched off.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0 +actor_rollout_ref.rollout.engine_kwargs.vllm.max_num_seq=8 +actor_rollout_ref.rollout.engine_kwargs.vllm.no_enable_prefix_caching=True +actor_rollout_ref.rollout.engine_kwargs.vllm.kv-cache-dtype=fp8 +actor_rollout_ref.rollout.engine_kwargs.vllm.compilation_config.cudagraph_mode=PIECEWISE

# verl leaves these out.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache=False +actor_rollout_ref.rollout.engine_kwargs.vllm.swap_space=null +actor_rollout_ref.rollout.engine_kwargs.vllm.disable_log_requests=$1

# The other engine runs.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.sglang.enable_ep_moe=True
