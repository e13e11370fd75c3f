package io.weir.cli.traffic;

/** A flow from the left host to the right one that sends as fast as it may. Any thread may ask it. */
public interface MeasuredFlow extends AutoCloseable {
    /** {@return bytes that the right host's application has received} */
    long receivedBytes();

    /** {@return when its first bytes arrived} */
    ArrivalLog arrivals();

    /** Ends it at once. */
    @Override
    void close();
}
