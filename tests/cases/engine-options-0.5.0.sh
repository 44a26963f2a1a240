# 0.5.0 hands nothing on to its servers.
# snippet-checker: release=0.5.0

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.mode=async +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0
