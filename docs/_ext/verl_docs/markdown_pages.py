"""Each page as Markdown, and `llms.txt`, which lists them: for programs that read text.

The builder `markdown` writes the pages beside those for browsers. The form of the list is that of
https://llmstxt.org/.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform

from verl_docs.languages import NOT_FOUND

FILE = "llms.txt"
_OPTIONAL = "Optional"  # the form's word for what may be skipped: the pages for contributors
_FOR_CONTRIBUTORS = "contributing/index"  # outside of the readers' navigation
_DESCRIPTION = "description"  # in the metadata of a page


class TextOnly(SphinxPostTransform):
    """Take out what is for browsers, and comments, which are for the checker.

    In the place of a picture stands the text that says the same.
    """

    default_priority = 6  # when what only a browser shows has been replaced, by pictures too
    formats = ("markdown",)

    def run(self, **kwargs: object) -> None:
        for node in [*self.document.findall(_is_not_text)]:
            node.parent.remove(node)
        for image in [*self.document.findall(nodes.image)]:
            text = nodes.Text(image["alt"])
            is_inline = isinstance(image.parent, nodes.TextElement)
            image.replace_self(text if is_inline else nodes.paragraph("", "", text))


def _is_not_text(node: nodes.Node) -> bool:
    is_html_comment = isinstance(node, nodes.raw) and node.astext().lstrip().startswith("<!--")
    return is_html_comment or isinstance(node, nodes.meta | nodes.comment)


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write the list beside the pages."""
    if exception is None and app.builder.name == "markdown":
        text = "\n".join(lines(app.env)) + "\n"
        Path(app.outdir, FILE).write_text(text, "utf-8")


def lines(env: BuildEnvironment) -> Iterator[str]:
    """The title of the site, what it is, and the pages in the order of the navigation."""
    root = env.config.root_doc
    yield f"# {env.config.project}"
    if said := _description(env, root):
        yield from ("", f"> {said}")
    for tree in env.get_doctree(root).findall(addnodes.toctree):
        pages = [page for _, page in tree["entries"] if page in env.found_docs]
        if not pages:
            continue
        yield from ("", f"## {tree['caption']}", "") if tree["caption"] else ("",)
        for page in pages:
            yield from _listed(env, page)
    if _FOR_CONTRIBUTORS in env.found_docs:
        yield from ("", f"## {_OPTIONAL}", "")
        yield from _listed(env, _FOR_CONTRIBUTORS)


def _listed(env: BuildEnvironment, page: str) -> Iterator[str]:
    """A page and those below it."""
    title, said = env.titles[page].astext(), _description(env, page)
    if page != NOT_FOUND:
        yield f"- [{title}]({page}.md)" + (f": {said}" if said else "")
    for below in env.toctree_includes.get(page, []):
        yield from _listed(env, below)


def _remember(app: Sphinx, doctree: nodes.document) -> None:
    """Keep what the front matter of a page says that it is about: doctrees take long to load."""
    for node in doctree.findall(nodes.meta):
        if node.get("name") == "description":
            app.env.metadata[app.env.current_document.docname][_DESCRIPTION] = node["content"]


def _description(env: BuildEnvironment, page: str) -> str | None:
    said: str | None = env.metadata[page].get(_DESCRIPTION)
    return said


def setup(app: Sphinx) -> None:
    app.add_post_transform(TextOnly)
    app.connect("doctree-read", _remember)
    app.connect("build-finished", write)
