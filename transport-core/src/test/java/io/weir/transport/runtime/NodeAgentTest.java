package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.time.Deadline;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests for how long the thread of a Node and its port may sleep. */
class NodeAgentTest {
    private long flushNanos = Deadline.NO_DEADLINE;
    private long transmitNanos = Deadline.NO_DEADLINE;
    private final CycleLock cycleLock = new CycleLock();
    private final NodeAgent agent = new NodeAgent(
            "test",
            List.of(new NodeBinding(new QuietNode(), List.of(new FullPort()))),
            () -> 1,
            new LoopTasks(problem -> {
                throw new AssertionError(problem);
            }),
            new CycleMonitor(CycleMonitor.PAUSE_NANOS_MIN, Long.MAX_VALUE));

    @BeforeEach
    void take() {
        cycleLock.take();
    }

    @Test
    void nextDeadline_withoutTheLoop_mayNotBeAsked() {
        cycleLock.leave();
        assertThrows(AssertionError.class, () -> agent.nextDeadlineNanos(cycleLock));
    }

    @Test
    void nextDeadline_nothingWaits_isNone() {
        assertEquals(Deadline.NO_DEADLINE, agent.nextDeadlineNanos(cycleLock));
    }

    @Test
    void nextDeadline_framesThatThePortCouldNotSend_isItsNextFlush() {
        transmitNanos = 700;
        flushNanos = 500;
        assertEquals(500, agent.nextDeadlineNanos(cycleLock));
        flushNanos = 900;
        assertEquals(700, agent.nextDeadlineNanos(cycleLock));
    }

    @Test
    void nextDeadline_framesThatAFullPortHasNoRoomFor_isABitLater() {
        transmitNanos = 1;
        assertEquals(1, agent.nextDeadlineNanos(cycleLock), "not known to be full");
        agent.doWork();
        assertEquals(100_001, agent.nextDeadlineNanos(cycleLock));
        transmitNanos = 200_000;
        assertEquals(200_000, agent.nextDeadlineNanos(cycleLock));
    }

    /** Has nothing to send before {@link #transmitNanos}. */
    private final class QuietNode implements Node {
        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frame.release();
        }

        @Override
        public void onTimeout(long nowNanos) {}

        @Override
        public long nextTimeoutNanos() {
            return Deadline.NO_DEADLINE;
        }

        @Override
        public Egress egress(int portIndex) {
            return new Egress() {
                @Override
                public Frame pollTransmit(long nowNanos) {
                    return null;
                }

                @Override
                public long nextTransmitNanos(long nowNanos) {
                    return transmitNanos;
                }
            };
        }

        @Override
        public int portCount() {
            return 1;
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {}
    }

    /** A port that takes nothing, and is to be flushed at {@link #flushNanos}. */
    private final class FullPort implements NetPort {
        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            return 0;
        }

        @Override
        public int transmitCapacity() {
            return 0;
        }

        @Override
        public void transmit(Frame frame) {
            throw new AssertionError("there is no room");
        }

        @Override
        public void flush() {}

        @Override
        public long nextFlushNanos() {
            return flushNanos;
        }

        @Override
        public PortInfo info() {
            return MemoryLink.info("test", 1, 1500, 1_000_000_000L);
        }

        @Override
        public String failure() {
            return null;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {}
    }
}
