package io.weir.netty;

import io.weir.transport.testing.AllowedDifferences;
import io.weir.transport.testing.AllowedDifferences.Difference;
import io.weir.transport.testing.ParityCase;
import io.weir.transport.testing.ParitySuite;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that our channels do what NIO's do: each case is played on both, and what it tells must be the same, but for
 * the differences that are listed here and in EMBEDDING.md.
 */
class ChannelParityTest {
    private static final int SEQUENCES_MIN = 40;

    private static final AllowedDifferences ALLOWED = new AllowedDifferences(List.of(Difference.of(
            "connect twice",
            "`isOpen` after `connect` of a connected channel",
            "a mistaken call costs no connection",
            "open")));

    private static ChannelKind kernels;
    private static ChannelKind ours;
    private static ParitySuite<ChannelKind> suite;

    @BeforeAll
    static void open() throws Exception {
        kernels = ChannelKind.ofTheKernel();
        ours = ChannelKind.ofWeir();
        suite = new ParitySuite<>(kernels, ours, cases(), ALLOWED);
    }

    @AfterAll
    static void close() {
        kernels.close();
        ours.close();
    }

    static List<ParityCase<ChannelKind>> cases() {
        return Stream.of(ChannelCases.all(), ChannelCallbackCases.all())
                .flatMap(List::stream)
                .filter(ParityCase::isPlayable)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void play_onBoth_tellsTheSame(ParityCase<ChannelKind> parityCase) throws Exception {
        suite.requireTheSame(parityCase);
    }

    @Test
    void cases_sequencesOfThreeCallsAndMore_areMany() throws Exception {
        suite.requireSequences(SEQUENCES_MIN);
    }

    @Test
    void document_tableOfDifferences_isWhatTheCasesTell() throws Exception {
        suite.requireTable("docs/EMBEDDING.md", "channel differences");
    }
}
