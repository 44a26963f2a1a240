# What 0.6.1 hands on as an argument has its whole name; a flag may be shortened.
# snippet-checker: release=0.6.1

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.max_num_seq=8

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.mode=async +actor_rollout_ref.rollout.engine_kwargs.vllm.max_num_seq=8

# False is an argument as any other, and no flag.
# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.use_blocks=False

python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.mode=async +actor_rollout_ref.rollout.engine_kwargs.vllm.use_blocks=False

# A later release of the engine has it.
# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm +actor_rollout_ref.rollout.engine_kwargs.vllm.mamba_config=1

# SGLang gets its options as a server alone.
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=sglang +actor_rollout_ref.rollout.engine_kwargs.sglang.enable_everything=True

# snippet-checker: expect[unknown-engine-option]
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=sglang actor_rollout_ref.rollout.mode=async +actor_rollout_ref.rollout.engine_kwargs.sglang.enable_everything=True
