package io.weir.nic.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.Errno;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests calls of bpf(2) that the kernel stops because of a signal. */
class BpfCallsTest {
    private static final int INTERRUPTED = -Errno.EAGAIN.number();

    @Test
    void uninterrupted_signalsWhileTheVerifierWorks_asksAgain() {
        AtomicInteger calls = new AtomicInteger();
        assertEquals(7, BpfCalls.uninterrupted(() -> calls.incrementAndGet() < 10 ? INTERRUPTED : 7));
        assertEquals(10, calls.get());
    }

    @Test
    void uninterrupted_signalsWithoutEnd_returnsTheLastAnswer() {
        AtomicInteger calls = new AtomicInteger();
        assertEquals(INTERRUPTED, BpfCalls.uninterrupted(() -> {
            calls.incrementAndGet();
            return INTERRUPTED;
        }));
        assertEquals(BpfCalls.ATTEMPTS_MAX, calls.get());
    }

    @Test
    void uninterrupted_otherRefusal_doesNotAskAgain() {
        AtomicInteger calls = new AtomicInteger();
        assertEquals(-Errno.EPERM.number(), BpfCalls.uninterrupted(() -> {
            calls.incrementAndGet();
            return -Errno.EPERM.number();
        }));
        assertEquals(1, calls.get());
    }
}
