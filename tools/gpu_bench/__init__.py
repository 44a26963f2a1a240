"""Measurements of verl's settings on GPUs, declared in experiments.toml.

`python3 -m gpu_bench --help`, in the folder `tools`, says what it does. The modules import one
another downwards:

    __main__    the command line
    session     which runs are due, each in a process of its own, and what becomes a row
    engine, update, programs    how one run of each kind is measured, on the GPU
    inputs      models of random weights and prompts, on the GPU
    watch, environment    what the GPU and its software were while a run was measured
    rows        the file of rows, and which of them count
    declared    experiments.toml as types
    lengths     how long prompts and responses are
"""
