package io.weir.papers;

import java.util.List;

/**
 * What a figure found.
 *
 * @param claims the paper's claims and their verdicts
 * @param charts what is drawn
 * @param tables what stands there in numbers
 */
public record Findings(List<Claim> claims, List<Chart> charts, List<Table> tables) {
    public Findings {
        claims = List.copyOf(claims);
        charts = List.copyOf(charts);
        tables = List.copyOf(tables);
    }
}
