package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionEvent;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.PortInfo;
import io.weir.transport.observation.CounterFile;
import io.weir.transport.observation.FlightEvents;
import io.weir.transport.observation.TraceArchive;
import io.weir.transport.observation.TraceFile;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a transport leaves behind for those who ask afterwards: the headers of its latest frames, captures of
 * connections that ended badly, and events of the Flight Recorder.
 */
final class TransportRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransportRecorder.class);

    /** A connection that has retransmitted a larger part of what it sent than one of so many is archived ... */
    private static final int LOSS_PART = 20;
    /** ... if it is no matter of a few frames. */
    private static final int RETRANSMITTED_FRAMES_MIN = 16;

    private static final long REFUSAL_GAP_NANOS = 100_000_000;

    private final String interfaceName;
    /** Null where no frames are kept. */
    private final TraceFile trace;
    /** Null where there is no trace. */
    private final TraceArchive archive;

    private TransportRecorder(String interfaceName, TraceFile trace, TraceArchive archive) {
        this.interfaceName = interfaceName;
        this.trace = trace;
        this.archive = archive;
    }

    /** {@return one that keeps no frames} */
    static TransportRecorder withoutFrames(PortInfo port) {
        return new TransportRecorder(port == null ? "" : port.name(), null, null);
    }

    /** {@return one that keeps so many frames of each loop, next to a counter file; 0 for none} */
    static TransportRecorder open(PortInfo port, CounterFile counters, int loopCount, int frames) {
        if (frames == 0) {
            return withoutFrames(port);
        }
        try {
            TraceFile file = TraceFile.create(counters, loopCount, frames);
            TraceArchive archive = new TraceArchive(counters.path(), port.name(), loopCount);
            return new TransportRecorder(port.name(), file, archive);
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "traceFile={} problem=\"{}\"; weir trace does not see this transport's frames",
                    TraceFile.nextTo(counters.path()),
                    e.toString());
            return withoutFrames(port);
        }
    }

    /** {@return where a loop notes its frames, or null for nowhere} Once for each loop. */
    TraceRing ring(int loop, LongSupplier clock) {
        if (trace == null) {
            return null;
        }
        TraceRing ring = trace.ring(loop);
        ring.keepEpoch(System.currentTimeMillis(), clock.getAsLong());
        return ring;
    }

    /** {@return a ring of so many frames, or the nearest number that there can be, which nobody reads; null for 0} */
    static TraceRing rehearsedRing(int frames) {
        return frames == 0
                ? null
                : new TraceRing(new UnsafeBuffer(ByteBuffer.allocateDirect(TraceRing.bytes(TraceFile.slots(frames)))));
    }

    /** {@return what a loop's host is to tell} */
    BiConsumer<Connection, ConnectionEvent> events(int loop, HostStack host, TraceRing ring) {
        return new LoopEvents(loop, host, ring);
    }

    /** {@return what a loop is to tell its long pauses} */
    static LongConsumer pauses(String loopName) {
        return nanos -> {
            FlightEvents.LoopPause event = new FlightEvents.LoopPause();
            if (event.isEnabled()) {
                event.setPause(loopName, nanos);
                event.commit();
            }
        };
    }

    /** The port was opened. */
    static void onPort(PortInfo port) {
        FlightEvents.PortMode event = new FlightEvents.PortMode();
        if (event.isEnabled()) {
            event.setPort(port.name(), port.backend(), port.mode(), port.modeReason());
            event.commit();
        }
    }

    /** {@return captures written of connections that ended badly} */
    long archivedCount() {
        return archive == null ? 0 : archive.writtenCount();
    }

    @Override
    public void close() throws IOException {
        if (trace != null) {
            archive.close();
            trace.close();
        }
    }

    /** Tells Flight Recorder of a loop's connections, and has those archived that ended badly. The loop's thread. */
    private final class LoopEvents implements BiConsumer<Connection, ConnectionEvent> {
        private final int loop;
        private final HostStack host;
        /** Null where no frames are kept. */
        private final TraceRing ring;
        /** Refusals of memory since the latest event of them. */
        private long refusals;
        /** When that was. */
        private long refusedNanos = -REFUSAL_GAP_NANOS;

        LoopEvents(int loop, HostStack host, TraceRing ring) {
            this.loop = loop;
            this.host = host;
            this.ring = ring;
        }

        @Override
        public void accept(Connection connection, ConnectionEvent event) {
            switch (event) {
                case OPENED -> onOpened(connection);
                case ENDED -> onEnded(connection);
                case RETRANSMITS -> onRetransmits(connection);
                case MEMORY_REFUSED -> onRefused(connection);
            }
        }

        private void onOpened(Connection connection) {
            FlightEvents.ConnectionOpened event = new FlightEvents.ConnectionOpened();
            if (event.isEnabled()) {
                Path path = connection.path();
                event.setConnection(interfaceName, end(path.local(), path.localPort()), remoteEnd(path));
                event.setProtocol(String.valueOf(connection.protocol()));
                event.commit();
            }
        }

        private void onEnded(Connection connection) {
            FlightEvents.ConnectionEnded event = new FlightEvents.ConnectionEnded();
            if (event.isEnabled()) {
                Path path = connection.path();
                event.setConnection(interfaceName, end(path.local(), path.localPort()), remoteEnd(path));
                event.setEnd(
                        connection.closeReason().name(),
                        connection.acknowledgedBytes(),
                        connection.receiveBuffer().inOrderOffset(),
                        connection.retransmittedBytes());
                event.commit();
            }
            if (ring != null && hasEndedBadly(connection)) {
                String reason = isBad(connection.closeReason())
                        ? connection.closeReason().name()
                        : "LOSS";
                archive.offer(loop, connection.path(), reason, new TraceArchive.Ring(ring, host.nowNanos()));
            }
        }

        private static boolean hasEndedBadly(Connection connection) {
            return isBad(connection.closeReason())
                    || (connection.retransmittedFrames() >= RETRANSMITTED_FRAMES_MIN
                            && connection.retransmittedBytes() * LOSS_PART > connection.acknowledgedBytes());
        }

        private static boolean isBad(CloseReason reason) {
            return switch (reason) {
                case OPEN_TIMED_OUT, TIMED_OUT, RESET, FORGOTTEN -> true;
                default -> false;
            };
        }

        private void onRetransmits(Connection connection) {
            FlightEvents.RetransmissionTimeout event = new FlightEvents.RetransmissionTimeout();
            if (event.isEnabled()) {
                Path path = connection.path();
                event.setConnection(interfaceName, end(path.local(), path.localPort()), remoteEnd(path));
                event.setInFlight(connection.inFlightBytes());
                event.commit();
            }
        }

        private void onRefused(Connection connection) {
            refusals++;
            if (host.nowNanos() - refusedNanos < REFUSAL_GAP_NANOS) {
                return;
            }
            refusedNanos = host.nowNanos();
            FlightEvents.MemoryRefused event = new FlightEvents.MemoryRefused();
            if (event.isEnabled()) {
                Path path = connection == null ? null : connection.path();
                event.setConnection(
                        interfaceName,
                        path == null ? null : end(path.local(), path.localPort()),
                        path == null ? null : remoteEnd(path));
                event.setRefusals(
                        refusals,
                        host.bufferBudget() == null ? 0 : host.bufferBudget().bytesInUse());
                event.commit();
            }
            refusals = 0;
        }

        private static String remoteEnd(Path path) {
            return end(path.remote(), path.remotePort());
        }

        private static String end(IpAddress address, int port) {
            return (address.isV6() ? "[" + address + "]" : address.toString()) + ":" + port;
        }
    }
}
