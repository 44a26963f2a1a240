FROM python:3.12
ARG NODES=1
ENV OVERRIDES="trainer.nnode=1"
RUN --mount=type=cache,target=/root/.cache pip install verl && \
    # comments are left out, and so are empty lines
    python3 -m verl.trainer.main_ppo \

      trainer.nnodes=$NODES \
      # snippet-checker: expect[unknown-key]
      trainer.nnode=$NODES
RUN <<EOF
python3 -m verl.trainer.main_ppo \
  trainer.nnode=1  # snippet-checker: expect[unknown-key]
EOF
RUN bash <<-'END'
	# snippet-checker: expect[unknown-key]
	python3 -m verl.trainer.main_ppo trainer.nnode=1
	END
COPY <<EOF /train.sh
# snippet-checker: expect[unknown-key]
python3 -m verl.trainer.main_ppo trainer.nnode=1
EOF
COPY <<EOF /notes.txt
python3 -m verl.trainer.main_ppo trainer.nnode=1
EOF
# The arguments of CMD are those of the ENTRYPOINT.
ENTRYPOINT ["python3", "-m", \
  "verl.trainer.main_ppo", "model_engine=megatron"]
# snippet-checker: expect[unknown-key]
CMD ["actor_rollout_ref.actor.megatron.param_offload=True", "trainer.nnode=1"]

FROM python:3.13
# snippet-checker: expect[unknown-key]
onbuild run ["python3", "-m", "verl.trainer.main_ppo", "trainer.nnode=1"]
CMD python3 -m verl.trainer.main_ppo trainer.nnodes=1
