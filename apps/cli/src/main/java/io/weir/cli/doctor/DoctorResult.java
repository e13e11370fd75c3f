package io.weir.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.cli.perf.PeerReport;
import java.util.List;

/**
 * What {@code --json} prints of a machine.
 *
 * @param interfaceName the interface that was looked at, or null
 * @param findings what was found, the worst first
 * @param peer what the interface reaches with a peer, or null where nobody asked
 */
record DoctorResult(
        String interfaceName,
        List<Item> findings,
        @JsonInclude(JsonInclude.Include.NON_NULL) PeerReport peer) {
    DoctorResult {
        findings = List.copyOf(findings);
    }

    /**
     * One finding.
     *
     * @param id which of the known ones
     * @param severity how bad it is
     * @param what what was found
     * @param costs what it costs
     * @param remedy commands for a shell, or a line that begins with {@code #} where no command helps
     */
    record Item(String id, Severity severity, String what, String costs, String remedy) {}

    /** {@return the result of these findings} */
    static DoctorResult of(String interfaceName, List<Finding> findings) {
        return new DoctorResult(
                interfaceName,
                findings.stream()
                        .map(finding -> new Item(
                                finding.kind().id(),
                                finding.kind().severity(),
                                finding.what(),
                                finding.kind().costs(),
                                finding.remedy()))
                        .toList(),
                null);
    }

    /** {@return the same with what a peer was measured for} */
    DoctorResult with(PeerReport measured) {
        return new DoctorResult(interfaceName, findings, measured);
    }

    /** {@return how many findings are as bad as this} */
    long count(Severity severity) {
        return findings.stream().filter(item -> item.severity() == severity).count();
    }
}
