"""What these pages need beyond Sphinx; what they show about verl comes from the schema."""

from __future__ import annotations

from sphinx.application import Sphinx

from verl_docs import badges, domain, finder, templated


def setup(app: Sphinx) -> dict[str, object]:
    badges.setup(app)
    domain.setup(app)
    finder.setup(app)
    templated.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
