package io.weir.cli.traffic;

import org.agrona.DirectBuffer;

/** What takes the bytes of a stream. */
@FunctionalInterface
public interface ByteSink {
    /** {@return how many of {@code length} bytes were taken; after less than all, the owner is told when to go on} */
    int write(DirectBuffer buffer, int index, int length);
}
