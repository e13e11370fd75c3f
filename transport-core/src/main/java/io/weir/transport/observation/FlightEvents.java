package io.weir.transport.observation;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * What happens rarely to transports and connections, as events of Java's Flight Recorder. Where nobody records, each
 * costs a test of a flag: callers ask before they make texts.
 */
public final class FlightEvents {
    private FlightEvents() {}

    /** What all events of a connection have. */
    @Category("Weir")
    @StackTrace(false)
    abstract static class OfConnection extends Event {
        @Label("Interface")
        String transportInterface;

        @Label("Local Address")
        String local;

        @Label("Remote Address")
        String remote;

        /** Says which connection it is. */
        public void setConnection(String interfaceName, String localEnd, String remoteEnd) {
            transportInterface = interfaceName;
            local = localEnd;
            remote = remoteEnd;
        }
    }

    /** A connection stands. */
    @Name("io.weir.ConnectionOpened")
    @Label("Connection Opened")
    public static final class ConnectionOpened extends OfConnection {
        @Label("Protocol")
        String protocol;

        /** Says what the ends speak. */
        public void setProtocol(String name) {
            protocol = name;
        }
    }

    /** A connection has ended. */
    @Name("io.weir.ConnectionEnded")
    @Label("Connection Ended")
    public static final class ConnectionEnded extends OfConnection {
        @Label("Reason")
        String reason;

        @Label("Sent")
        @DataAmount
        long sentBytes;

        @Label("Received")
        @DataAmount
        long receivedBytes;

        @Label("Retransmitted")
        @DataAmount
        long retransmittedBytes;

        /** Sets the end. */
        public void setEnd(String closeReason, long sent, long received, long retransmitted) {
            reason = closeReason;
            sentBytes = sent;
            receivedBytes = received;
            retransmittedBytes = retransmitted;
        }
    }

    /** Nothing acknowledged what a connection had sent, and it retransmits. */
    @Name("io.weir.RetransmissionTimeout")
    @Label("Retransmission Time-out")
    public static final class RetransmissionTimeout extends OfConnection {
        @Label("In Flight")
        @DataAmount
        long inFlightBytes;

        /** Sets what had been sent. */
        public void setInFlight(long bytes) {
            inFlightBytes = bytes;
        }
    }

    /** A buffer did not grow, or a connection was refused, because the memory for all of them is taken. */
    @Name("io.weir.MemoryRefused")
    @Label("Memory Refused")
    @Description("At most one each 100 ms of a loop; count has the refusals since the one before")
    public static final class MemoryRefused extends OfConnection {
        @Label("Count")
        long count;

        @Label("In Use")
        @DataAmount
        long usedBytes;

        /** Sets the number of refusals. */
        public void setRefusals(long refusals, long bytesInUse) {
            count = refusals;
            usedBytes = bytesInUse;
        }
    }

    /** A connection that might have gone over Weir goes over TCP, or failed. */
    @Name("io.weir.Fallback")
    @Label("Fallback")
    @Category("Weir")
    @StackTrace(false)
    public static final class Fallback extends Event {
        @Label("Outcome")
        String outcome;

        @Label("Remote Address")
        String remote;

        @Label("Explanation")
        String explanation;

        /** Says which way it went, and why. */
        public void setExplanation(String word, String address, String text) {
            outcome = word;
            remote = address;
            explanation = text;
        }
    }

    /** A transport's port was opened. */
    @Name("io.weir.PortMode")
    @Label("Port Mode")
    @Category("Weir")
    @StackTrace(false)
    public static final class PortMode extends Event {
        @Label("Interface")
        String transportInterface;

        @Label("Backend")
        String backend;

        @Label("Mode")
        String mode;

        @Label("Reason")
        String reason;

        /** Sets the way in which it was opened, and why that one. */
        public void setPort(String interfaceName, String backendName, String modeName, String modeReason) {
            transportInterface = interfaceName;
            backend = backendName;
            mode = modeName;
            reason = modeReason;
        }
    }

    /** A loop did not run for a millisecond or more, although it should have. */
    @Name("io.weir.LoopPause")
    @Label("Loop Pause")
    @Category("Weir")
    @StackTrace(false)
    public static final class LoopPause extends Event {
        @Label("Loop")
        String loop;

        @Label("Length")
        @Timespan(Timespan.NANOSECONDS)
        long length;

        /** Sets the length. */
        public void setPause(String loopName, long nanos) {
            loop = loopName;
            length = nanos;
        }
    }
}
