#!/usr/bin/env bash
#SBATCH --job-name=verl
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=96
#SBATCH --mem=0
#SBATCH --exclusive
#SBATCH --time=24:00:00

# GRPO with a dense 7B model on two nodes under Slurm, for verl 0.9.1. Start it with: sbatch cluster-slurm.sh
set -euo pipefail

head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
address=$(srun --overlap --nodes=1 --ntasks=1 -w "$head" hostname --ip-address | awk '{print $1}')
export RAY_ADDRESS=$address:6379

# Ray must not count the cores by itself: it may see the whole machine instead of the job's share.
srun --overlap --nodes=1 --ntasks=1 -w "$head" \
    ray start --head --node-ip-address="$address" --port=6379 \
    --num-cpus="$SLURM_CPUS_PER_TASK" --num-gpus=8 --block &
sleep 20
srun --overlap --nodes=$((SLURM_NNODES - 1)) --ntasks=$((SLURM_NNODES - 1)) --exclude="$head" \
    ray start --address="$RAY_ADDRESS" \
    --num-cpus="$SLURM_CPUS_PER_TASK" --num-gpus=8 --block &

# verl counts the GPUs once and does not wait for late nodes.
srun --overlap --nodes=1 --ntasks=1 -w "$head" python3 -c '
import os, time, ray
ray.init(address=os.environ["RAY_ADDRESS"])
while ray.cluster_resources().get("GPU", 0) < 8 * int(os.environ["SLURM_NNODES"]):
    time.sleep(5)
'

srun --overlap --nodes=1 --ntasks=1 -w "$head" python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=/shared/data/gsm8k/train.parquet \
    data.val_files=/shared/data/gsm8k/test.parquet \
    data.train_batch_size=256 \
    data.max_prompt_length=1024 \
    data.max_response_length=3072 \
    actor_rollout_ref.model.path=/shared/models/Qwen2.5-7B-Instruct \
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384 \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=1 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    actor_rollout_ref.rollout.max_model_len=4096 \
    trainer.nnodes="$SLURM_NNODES" \
    trainer.n_gpus_per_node=8 \
    trainer.save_freq=20 \
    trainer.max_actor_ckpt_to_keep=2 \
    trainer.default_local_dir=/shared/checkpoints/run1 \
    trainer.logger='["console"]'
