package io.weir.transport.jdk;

import io.weir.transport.testing.AllowedDifferences;
import io.weir.transport.testing.AllowedDifferences.Difference;
import io.weir.transport.testing.ParityCase;
import io.weir.transport.testing.ParitySuite;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that our sockets do what the kernel's do: each case is played on both, and what it tells must be the same, but
 * for the differences that are listed here and in EMBEDDING.md.
 */
class SocketParityTest {
    private static final int SEQUENCES_MIN = 60;
    private static final String HOSTS_ARE_NEAR = "hosts are in one data centre";

    private static final AllowedDifferences ALLOWED = new AllowedDifferences(List.of(
            Difference.of("urgent data", "`sendUrgentData`", "a Weir stream has no urgent bytes", "send"),
            Difference.of(
                    "write to a peer that has closed",
                    "10,000 writes to a peer that has closed",
                    "a closed socket still takes bytes for up to 30 s",
                    "second write"),
            Difference.of("options", "`TCP_KEEPIDLE` at first", HOSTS_ARE_NEAR, "TCP_KEEPIDLE at first"),
            Difference.of("options", "`TCP_KEEPINTERVAL` at first", HOSTS_ARE_NEAR, "TCP_KEEPINTERVAL at first"),
            Difference.of("options", "`TCP_KEEPCOUNT` at first", HOSTS_ARE_NEAR, "TCP_KEEPCOUNT at first")));

    private static SocketKind kernels;
    private static SocketKind ours;
    private static ParitySuite<SocketKind> suite;

    @BeforeAll
    static void open() throws IOException {
        kernels = SocketKind.ofTheKernel();
        ours = SocketKind.ofWeir();
        suite = new ParitySuite<>(kernels, ours, cases(), ALLOWED);
    }

    @AfterAll
    static void close() throws IOException {
        kernels.close();
        ours.close();
    }

    static List<ParityCase<SocketKind>> cases() {
        return Stream.of(
                        ListenCases.all(),
                        ConnectCases.all(),
                        StreamCases.all(),
                        EndCases.all(),
                        WaitCases.all(),
                        ExitCases.all(),
                        OptionCases.all())
                .flatMap(List::stream)
                .filter(ParityCase::isPlayable)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void play_onBoth_tellsTheSame(ParityCase<SocketKind> parityCase) throws Exception {
        suite.requireTheSame(parityCase);
    }

    @Test
    void cases_sequencesOfThreeCallsAndMore_areMany() throws Exception {
        suite.requireSequences(SEQUENCES_MIN);
    }

    @Test
    void document_tableOfDifferences_isWhatTheCasesTell() throws Exception {
        suite.requireTable("docs/EMBEDDING.md", "socket differences");
    }
}
