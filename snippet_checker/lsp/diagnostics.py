"""Findings as an editor shows them."""

from __future__ import annotations

from lsprotocol.types import CodeDescription, Diagnostic, DiagnosticSeverity

from snippet_checker.findings import Finding, Severity
from snippet_checker.links import Links
from snippet_checker.lsp.documents import Document

SOURCE = "snippet-checker"
_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
}


def diagnostic(finding: Finding, document: Document, links: Links) -> Diagnostic:
    """One finding in the version of the document that it was found in."""
    address = links.rule(finding.rule)
    return Diagnostic(
        range=document.range(finding.span),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=CodeDescription(address) if address is not None else None,
        source=SOURCE,
    )
