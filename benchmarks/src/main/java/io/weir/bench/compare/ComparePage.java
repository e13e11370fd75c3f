package io.weir.bench.compare;

/** Findings as one page. */
final class ComparePage {
    private final Findings findings;
    private final String environment;

    ComparePage(Findings findings, String environment) {
        this.findings = findings;
        this.environment = environment;
    }

    String html() {
        return "<pre>" + environment + "\n" + new CompareText(findings).text() + "</pre>";
    }
}
