package io.weir.cli.demo;

import java.io.IOException;

/** A transport between the two hosts, as the measurements use it: Weir, or kernel TCP. */
interface Traffic {
    /** {@return a flow that has begun} */
    BulkFlow startBulk() throws IOException;

    /** {@return an exchange of messages of {@code messageBytes} that has begun} */
    RoundTrips startRoundTrips(int messageBytes) throws IOException;

    /** Fails if a flow or exchange has ended that should not have. */
    void requireHealthy() throws IOException;
}
