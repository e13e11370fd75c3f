package io.weir.transport.protocol.reactive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.protocol.AckSample;
import org.junit.jupiter.api.Test;

/** Tests {@link MarkedShare} with segments of 1000 B and g = 1/16. */
class MarkedShareTest {
    private final AckSample ack = new AckSample();

    /** One acknowledgement of {@code frames} frames up to number {@code acked}, when {@code sent} was sent last. */
    private void hear(MarkedShare share, int frames, int marked, long acked, long sent) {
        share.onAck(
                ack.begin(0, sent).arrived(1_000L * frames, frames, acked, 0).signals(marked, 0, 0));
    }

    private static MarkedShare share(double firstAlpha) {
        return new MarkedShare(firstAlpha, 1 / 16.0, 1_000);
    }

    @Test
    void onAck_endOfAWindow_movesAlphaBySixteenthOfTheShare() {
        MarkedShare share = share(0);
        hear(share, 1, 0, 1, 10);
        for (int i = 2; i <= 10; i++) {
            hear(share, 1, i <= 4 ? 1 : 0, i, 10);
            assertEquals(0, share.fraction(), 1e-6);
        }
        hear(share, 1, 1, 11, 20);
        // 4 of the 10 frames that followed the first
        assertEquals(0.4 / 16, share.fraction(), 1e-6);
    }

    @Test
    void onAck_windowsWithoutMarks_decays() {
        MarkedShare share = share(1);
        for (int i = 1; i <= 16; i++) {
            hear(share, 1, 0, i, i);
        }
        assertEquals(Math.pow(15 / 16.0, 16), share.fraction(), 1e-6);
    }

    @Test
    void onAck_severalFramesInOne_countsThoseThatWereMarked() {
        MarkedShare share = share(0);
        hear(share, 4, 1, 4, 8);
        assertEquals(0.25 / 16, share.fraction(), 1e-6);
    }

    @Test
    void onAck_marksOfFramesThatCameOutOfOrder_areNotLost() {
        MarkedShare share = share(0);
        hear(share, 1, 0, 1, 10);
        // A gap: of frames beyond it the arrival is not known yet, but their marks are.
        hear(share, 0, 2, 4, 10);
        hear(share, 4, 0, 11, 20);
        assertEquals(0.5 / 16, share.fraction(), 1e-6);
    }

    @Test
    void onAck_moreMarksThanArrivals_isOneAtMost() {
        MarkedShare share = share(0);
        hear(share, 1, 9, 1, 1);
        assertEquals(1 / 16.0, share.fraction(), 1e-6);
    }

    @Test
    void of_bytes_isTheirShare() {
        assertEquals(5_000, share(0.5).of(10_000));
        assertEquals(1L << 40, share(1).of(1L << 40));
    }
}
