package io.weir.transport.protocol.reactive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.protocol.AckSample;
import org.junit.jupiter.api.Test;

/** Tests {@link DctcpWindow} with segments of 1000 B. */
class DctcpWindowTest {
    private final AckSample ack = new AckSample();

    private static DctcpWindow window(double alpha, long segmentsMin) {
        return new DctcpWindow(new RenoWindow(1_000, 100, segmentsMin), new MarkedShare(alpha, 0, 1_000));
    }

    private void hear(DctcpWindow window, int marked, long acked, long sent) {
        ack.begin(0, sent).arrived(1_000, 1, acked, 0).signals(marked, 0, 0);
        window.observe(ack);
        window.onAck(ack, true);
    }

    @Test
    void onAck_firstMark_takesHalfOfAlphaAndEndsSlowStart() {
        DctcpWindow window = window(0.5, 2);
        hear(window, 0, 1, 100);
        assertEquals(101_000, window.windowBytes());
        hear(window, 1, 2, 101);
        assertEquals(75_750, window.windowBytes());
        hear(window, 0, 102, 180);
        assertEquals(75_750, window.windowBytes());
    }

    @Test
    void onAck_moreMarksInTheSameWindow_reducesOnce() {
        DctcpWindow window = window(1, 2);
        hear(window, 1, 1, 100);
        for (int i = 2; i <= 100; i++) {
            hear(window, 1, i, 150);
        }
        assertEquals(50_000, window.windowBytes());
        hear(window, 1, 101, 150);
        assertEquals(25_000, window.windowBytes());
    }

    @Test
    void onAck_marked_doesNotGrow() {
        DctcpWindow window = window(0, 2);
        hear(window, 1, 1, 100);
        hear(window, 1, 2, 100);
        assertEquals(100_000, window.windowBytes());
    }

    @Test
    void onAck_windowWithoutMarks_growsByOneSegment() {
        DctcpWindow window = window(0, 2);
        hear(window, 1, 1, 1);
        for (int i = 2; i <= 101; i++) {
            hear(window, 0, i, 200);
        }
        assertEquals(101_000, window.windowBytes());
    }

    @Test
    void onAck_manyMarkedWindows_stopsAtTheLeast() {
        DctcpWindow window = window(1, 3);
        for (int i = 1; i <= 20; i++) {
            hear(window, 1, i, i);
        }
        assertEquals(3_000, window.windowBytes());
    }

    @Test
    void onLoss_always_halvesWhatWasInFlight() {
        DctcpWindow window = window(0, 2);
        window.onLoss(60_000);
        assertEquals(30_000, window.windowBytes());
        window.onRetransmissionTimeout(30_000);
        assertEquals(1_000, window.windowBytes());
    }
}
