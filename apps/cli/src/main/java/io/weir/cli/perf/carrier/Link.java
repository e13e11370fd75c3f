package io.weir.cli.perf.carrier;

import io.weir.cli.traffic.ByteSink;
import io.weir.transport.protocol.CreditLedger;
import java.net.InetSocketAddress;

/** One connection of a test. It belongs to the thread of its loop, which also calls its {@link LinkHandler}. */
public interface Link extends ByteSink {
    /** {@return the loop that it belongs to: the same object for all of one loop; any thread} */
    Object loop();

    /** Sets buffers and the IP header's octet, of each 0 for what it has; Weir's are its transport's. */
    default void tune(int windowBytes, int trafficClass) {}

    /** Sends no more after what was written. */
    void shutdownOutput();

    /** Ends it in this time, if both directions have not ended before. */
    void closeWithin(long nanos);

    /** Ends it at once; the peer gets a reset. */
    void abort();

    /** {@return bytes that were written} */
    long writtenBytes();

    /** {@return bytes that the peer is known to have} */
    long acknowledgedBytes();

    /** {@return what is known of how the bytes went, now} */
    LinkFigures figures();

    /** {@return the protocol, as both ends agreed; any thread} */
    String protocol();

    /** {@return the parameters that this end has for it; any thread} */
    String preset();

    /** {@return payload bytes of a full data frame or segment, 0 where that is not known} */
    int segmentBytes();

    /** {@return the fate of the credits that this end sent, or null where there are none} */
    CreditLedger ledger();

    /** {@return this end's address; any thread} */
    InetSocketAddress local();

    /** {@return the peer's address; any thread} */
    InetSocketAddress remote();
}
