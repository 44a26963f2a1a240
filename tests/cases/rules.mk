# Variables may be set below the recipe that uses them.
NODES ?= 2
ENGINE := model_engine=megatron \
    actor_rollout_ref.actor.megatron.param_offload=True  # a comment
PROGRAM = verl.trainer.main_ppo
ifdef DEBUG
EPOCHS = trainer.nnode=1  # snippet-checker: expect[unknown-key]
else
EPOCHS = trainer.total_epochs=2
endif
train: data
	@python3 -m $(PROGRAM) $(ENGINE) $(EPOCHS) ${MORE} $@ \
	    trainer.nnodes=$(NODES) trainer.project_name=$$USER-$(shell date) \
	    data.train_files=$(addsuffix .parquet,$(FILES)) \
	    trainer.nnode=$(NODES)  # snippet-checker: expect[unknown-key]
	-+cd verl && python3 -m verl.trainer.main_ppo $(WRONG)
WRONG = trainer.save_freq=1
WRONG += trainer.nnode=1  # snippet-checker: expect[unknown-key]
sft: SFT = verl.trainer.sft_trainer
sft:
	python3 -m $(SFT) trainer.nnode=1 A=$(A)
A = $(B)$(B)
B = $(A)

# What functions of make come to is known, where their arguments are.
define run
python3 -m verl.trainer.main_ppo $(1) trainer.nnodes=$(2)
endef
SEEDS = 1 2
functions:
	$(call run,trainer.nnode=1,2) trainer.save_freq=1  # snippet-checker: expect[unknown-key]
	$(foreach seed,$(SEEDS),python3 -m $(PROGRAM) trainer.nnode=$(seed);)  # snippet-checker: expect[unknown-key]
	python3 -m $(PROGRAM) $(or $(OTHERS),trainer.nnode=1)  # snippet-checker: expect[unknown-key]
	python3 -m $(PROGRAM) $(if $(DEBUG),trainer.nnode=1)  # snippet-checker: expect[unknown-key]
	python3 -m $(PROGRAM) $(call missing,trainer.nnode=1) $(foreach a)
recursive = $(call recursive,$(1)) trainer.nnodes=1
again:
	python3 -m $(PROGRAM) $(call recursive,1)
for-one: ONE = trainer.nnode=1  # snippet-checker: expect[unknown-key]
for-one:
	python3 -m $(PROGRAM) $(ONE)
