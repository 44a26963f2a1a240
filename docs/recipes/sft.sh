#!/usr/bin/env bash
# Supervised fine-tuning of a dense 7B model on one node of eight 80 GB GPUs, for verl 0.9.1.
set -euo pipefail

torchrun --standalone --nnodes=1 --nproc_per_node=8 -m verl.trainer.sft_trainer \
    data.train_files=$HOME/data/chat/train.parquet \
    data.val_files=$HOME/data/chat/test.parquet \
    data.messages_key=messages \
    data.train_batch_size=128 \
    data.max_length=4096 \
    data.truncation=right \
    data.use_dynamic_bsz=True \
    data.max_token_len_per_gpu=32768 \
    model.path=Qwen/Qwen2.5-7B \
    engine.strategy=fsdp2 \
    optim.lr=1e-5 \
    optim.lr_scheduler_type=cosine \
    optim.lr_warmup_steps_ratio=0.03 \
    checkpoint.save_contents='[model,optimizer,extra,hf_model]' \
    trainer.total_epochs=3 \
    trainer.save_freq=200 \
    trainer.test_freq=100 \
    trainer.max_ckpt_to_keep=2 \
    trainer.project_name=recipes \
    trainer.experiment_name=sft \
    trainer.logger='["console"]'
