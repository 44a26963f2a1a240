# The releases of an engine that go with one of verl's may be many.
# snippet-checker: release=0.7.1

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.disable_mm_preprocessor_cache=True +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.use_blocks=True
