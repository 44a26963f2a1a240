"""Where references lead: real OmegaConf resolves the same config, and says the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from omegaconf import OmegaConf
from omegaconf.errors import InterpolationKeyError

from snippet_checker.hydra import override, references
from snippet_checker.hydra.setting import Operator, Setting
from snippet_checker.text.places import Span
from snippet_checker.verl.release import DEFAULT_CONFIG, load, newest
from tests.hydra import hydra_tree

NOWHERE = Span("", 1, 1, 1, 1)
RELEASE = load(newest())
PRIMARY = next(p for p in RELEASE.primaries if p.config_name == DEFAULT_CONFIG)


@pytest.fixture(scope="module")
def hydra(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hydra_tree.Judge]:
    folder = hydra_tree.write(RELEASE, PRIMARY, tmp_path_factory.mktemp("config"))
    with hydra_tree.hydra_in(folder):
        yield hydra_tree.Judge(PRIMARY.config_name)


@pytest.mark.parametrize(
    "text",
    [
        "trainer.nnodes=${trainer.n_gpus_per_node}",
        "trainer.nnodes=${trainer.nnode}",
        "trainer.nnodes=${nnodes}",
        "trainer.nnodes=${.n_gpus_per_node}",
        "trainer.nnodes=${.nope}",
        "trainer.nnodes=${..data.train_batch_size}",
        "trainer.nnodes=${..train_batch_size}",
        "trainer.nnodes=${actor_rollout_ref.actor.megatron.param_offload}",
        "trainer.nnodes=${actor_rollout_ref.ref.ulysses_sequence_parallel_size}",
        "trainer.nnodes=${oc.select:trainer.nope}",
        "trainer.nnodes=${hydra.job.name}",
        "trainer.project_name=a_${trainer.nope}_b",
        "trainer.project_name=a_${trainer.nnodes}_${oc.select:trainer.nope,x}",
        "trainer.logger=[a,'${trainer.nope}']",
        "trainer.logger=[a,'${trainer.nnodes}','${..nnodes}']",
        "trainer.nnodes=${trainer.logger.0}",
        "+trainer.mine={a: '${.b}', b: '${..nnodes}'}",
        "+trainer.mine={a: '${.c}', b: 1}",
        "+trainer.mine={a: '${..nope}'}",
    ],
)
def test_omegaconf_finds_nothing_where_we_say_so(text: str, hydra: hydra_tree.Judge) -> None:
    parsed = override.parse(text)
    config = RELEASE.composed(PRIMARY)
    config.apply(Setting(parsed.key, parsed.operator, parsed.value, NOWHERE))
    assert parsed.operator in (Operator.SET, Operator.ADD)
    keys = references.referred(parsed.key, parsed.value)
    missing = any(references.leads_nowhere(key, config) for key in keys)
    assert _stops(hydra.config([text])) is missing


def _stops(config: object) -> bool:
    try:
        OmegaConf.resolve(config)
    except InterpolationKeyError:
        return True
    return False
