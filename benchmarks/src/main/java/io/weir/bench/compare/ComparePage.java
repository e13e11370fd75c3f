package io.weir.bench.compare;

import java.util.List;

/** Sections as one page without scripts that loads nothing. */
final class ComparePage {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Weir compared</title>
            <style>
            :root { --text: #1c2430; --back: #ffffff; --soft: #67707c; --rule: #d5dae0; --ours: #0b6e99; \
            --theirs: #b0b8c1; }
            @media (prefers-color-scheme: dark) {
              :root { --text: #e4e8ec; --back: #14181d; --soft: #9aa4af; --rule: #343b44; --ours: #4db2dd; \
              --theirs: #5d6773; }
            }
            body { color: var(--text); background: var(--back); font: 16px/1.5 system-ui, sans-serif; max-width: 62rem;
              margin: 2rem auto; padding: 0 1rem; }
            div { overflow-x: auto; }
            table { border-collapse: collapse; font-size: 0.85rem; margin: 1rem 0; }
            th, td { text-align: left; padding: 0.25rem 0.7rem 0.25rem 0; border-bottom: 1px solid var(--rule);
              vertical-align: top; }
            code { font-size: 0.9rem; }
            svg { width: 100%; height: auto; margin: 1rem 0; }
            svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
            svg .title { font-weight: 600; }
            svg .name { text-anchor: end; }
            svg .tick { text-anchor: middle; fill: var(--soft); }
            svg .ours { fill: var(--ours); }
            svg .theirs { fill: var(--theirs); }
            svg .spread { stroke: var(--text); }
            svg .grid { stroke: var(--rule); }
            svg .line { fill: none; stroke-width: 2; }
            svg .dashed { stroke-dasharray: 5 4; }
            svg .c0 { stroke: #0b6e99; } svg .c1 { stroke: #d1495b; } svg .c2 { stroke: #3c8d40; } \
            svg .c3 { stroke: #b07a0c; }
            svg .c4 { stroke: #7b4fa3; } svg .c5 { stroke: #2aa198; } svg .c6 { stroke: #8a6d5a; } \
            svg .c7 { stroke: #777777; }
            </style>
            </head>
            <body>
            <h1>Weir compared</h1>
            """;

    private ComparePage() {}

    static String html(String introduction, List<CompareSection> sections) {
        StringBuilder html = new StringBuilder(HEAD);
        for (String paragraph : introduction.split("\n\n", -1)) {
            String text = CompareCharts.escaped(paragraph.strip());
            html.append(paragraph.startsWith("    ") ? "<p><code>" + text + "</code></p>\n" : "<p>" + text + "</p>\n");
        }
        for (CompareSection section : sections) {
            html.append("<h2>").append(CompareCharts.escaped(CompareMarkdown.capitalized(section.title())));
            html.append("</h2>\n");
            if (!section.note().isEmpty()) {
                html.append("<p>").append(CompareCharts.escaped(section.note())).append("</p>\n");
            }
            section.charts().forEach(html::append);
            html.append("<div><table>\n");
            row(html, "th", section.headers());
            section.rows().forEach(cells -> row(html, "td", cells));
            html.append("</table></div>\n");
        }
        return html.append("</body>\n</html>\n").toString();
    }

    private static void row(StringBuilder html, String element, List<String> cells) {
        html.append("<tr>");
        for (String cell : cells) {
            html.append('<').append(element).append('>').append(CompareCharts.escaped(cell));
            html.append("</").append(element).append('>');
        }
        html.append("</tr>\n");
    }
}
