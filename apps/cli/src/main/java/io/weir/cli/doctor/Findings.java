package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what checks find. One thread. */
final class Findings {
    private final List<Finding> found = new ArrayList<>();

    /** Adds one. */
    void add(FindingKind kind, String what, String remedy) {
        found.add(new Finding(kind, what, remedy));
    }

    /** {@return all, those that break before those that slow, otherwise in the order of their kinds} */
    List<Finding> sorted() {
        return found.stream()
                .sorted(Comparator.comparing((Finding finding) -> finding.kind().severity())
                        .thenComparing(Finding::kind))
                .toList();
    }
}
