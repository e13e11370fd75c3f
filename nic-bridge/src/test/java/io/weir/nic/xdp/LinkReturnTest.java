package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link LinkReturn} by a clock that only its pauses move. */
class LinkReturnTest {
    private long nowNanos = -3;
    private final LinkReturn link = new LinkReturn(() -> nowNanos, nanos -> nowNanos += nanos);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void await_linkThatStayed_takesNoTimeAndSaysNothing() {
        assertEquals("", link.await(() -> true));
        assertEquals(-3, nowNanos);
    }

    @Test
    void await_linkThatComesBack_saysAfterHowLong() {
        long backNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(2_290);
        assertEquals(
                "; the link went when the program was attached, and came back after 2.3 s",
                link.await(() -> nowNanos >= backNanos));
    }

    @Test
    void await_linkThatStaysAway_endsAndSaysSo() {
        assertEquals(
                "; the link went when the program was attached, and is not back after 10.0 s", link.await(() -> false));
        assertEquals(LinkReturn.NANOS_MAX, nowNanos + 3);
    }

    @Test
    void await_interrupted_waitsNoLonger() {
        Thread.currentThread().interrupt();
        assertTrue(link.await(() -> false).endsWith("is not back after 0.0 s"));
        assertTrue(Thread.currentThread().isInterrupted());
    }

    @Test
    void await_interfaceThatIsGone_isTheCallersToTell() {
        NicException gone = new NicException("gone");
        assertEquals(
                gone,
                assertThrows(
                        NicException.class,
                        () -> link.await(() -> {
                            throw gone;
                        })));
    }
}
