#!/usr/bin/env bash
# snippet-checker: release=0.6.1
# What engines without servers, and reward managers, refuse or ignore, and their neighbours.

ARR=actor_rollout_ref
WHOLE="data.train_files=a.parquet $ARR.model.path=m $ARR.actor.use_dynamic_bsz=True trainer.n_gpus_per_node=4 algorithm.adv_estimator=remax"

# Validation is greedy unless it samples; servers are told the temperature alone.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.val_kwargs.temperature=0.6
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.val_kwargs.temperature=0.6 $ARR.rollout.val_kwargs.do_sample=True
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.val_kwargs.temperature=0.6 $ARR.rollout.mode=async data.return_raw_chat=True

# Several turns.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.multi_turn.enable=True
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.multi_turn.enable=True $ARR.rollout.mode=async data.return_raw_chat=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=sglang $ARR.rollout.multi_turn.tool_config_path=tools.yaml
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=sglang $ARR.rollout.multi_turn.enable=True $ARR.rollout.multi_turn.tool_config_path=tools.yaml data.return_raw_chat=True

# SGLang takes the longest sequence or nothing.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=sglang $ARR.rollout.max_model_len=1023
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=sglang $ARR.rollout.max_model_len=1024

# Positions of a model.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.model.path=Qwen/Qwen2.5-Math-7B data.max_response_length=3585 $ARR.rollout.tensor_model_parallel_size=4
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.model.path=Qwen/Qwen2.5-Math-7B data.max_response_length=3584 $ARR.rollout.tensor_model_parallel_size=4

# The manager 'naive' has no such argument, and 'dapo' needs the longest answer.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm reward_model.reward_manager=naive +reward_model.reward_kwargs.overlong_buffer_cfg.enable=True
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm reward_model.reward_manager=dapo +reward_model.reward_kwargs.overlong_buffer_cfg.enable=True +reward_model.reward_kwargs.overlong_buffer_cfg.len=512
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm reward_model.reward_manager=dapo +reward_model.reward_kwargs.overlong_buffer_cfg.enable=True +reward_model.reward_kwargs.overlong_buffer_cfg.len=512 +reward_model.reward_kwargs.max_resp_len=1024

# Settings that count with another one only.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm custom_reward_function.name=mine
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm reward_model.model.path=rm
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm reward_model.model.path=rm reward_model.enable=True reward_model.micro_batch_size_per_gpu=1
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.model.lora_rank=8 $ARR.rollout.layered_summon=True

# The program that only generates.
GENERATION="model.path=m data.path=a.parquet data.output_path=b.parquet rollout.prompt_length=1024"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_generation $GENERATION rollout.response_length=8192
python3 -m verl.trainer.main_generation $GENERATION rollout.response_length=7168
python3 -m verl.trainer.main_generation $GENERATION rollout.response_length=8192 rollout.max_num_batched_tokens=9216

# Loops and turns begin with messages.
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.mode=async
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.mode=async data.return_raw_chat=True
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.mode=async data.custom_cls.path=mine.py data.custom_cls.name=Mine
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=vllm $ARR.rollout.mode=async $ARR.rollout.agent.agent_loop_config_path=loops.yaml
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=sglang $ARR.rollout.multi_turn.enable=True $ARR.rollout.multi_turn.tool_config_path=tools.yaml
python3 -m verl.trainer.main_ppo $WHOLE $ARR.rollout.name=sglang $ARR.rollout.multi_turn.enable=True $ARR.rollout.multi_turn.tool_config_path=tools.yaml data.return_raw_chat=True

# A server takes as many tokens as it is told; which rollout it is, only the launch may say.
LONG="$WHOLE $ARR.rollout.log_prob_micro_batch_size_per_gpu=4 $ARR.model.path=Qwen/Qwen2.5-Math-7B $ARR.rollout.name=vllm data.max_prompt_length=4000"
# snippet-checker: expect[conflicting-settings]
python3 -m verl.trainer.main_ppo $LONG $ARR.rollout.mode=sync data.max_response_length=4000
python3 -m verl.trainer.main_ppo $LONG $ARR.rollout.mode=$MODE data.max_response_length=4000
