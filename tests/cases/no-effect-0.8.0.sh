#!/usr/bin/env bash
# snippet-checker: release=0.8.0
# Only the engines' own section is read since 0.8.0.

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.qat.enable=True actor_rollout_ref.rollout.name=vllm

python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.fsdp_config.qat.enable=True actor_rollout_ref.rollout.name=vllm

# snippet-checker: expect[ineffective-key]
python3 -m verl.trainer.main_ppo model_engine=megatron actor_rollout_ref.actor.router_replay.mode=R2 actor_rollout_ref.rollout.name=vllm

python3 -m verl.trainer.main_ppo model_engine=megatron actor_rollout_ref.actor.megatron.router_replay.mode=R2 actor_rollout_ref.rollout.name=vllm
