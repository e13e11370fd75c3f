package io.weir.cli.traffic;

import io.weir.transport.host.Connection;
import io.weir.transport.runtime.OwnTimeLimit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;

/** Takes a bulk flow: notes what arrives and, of payload made from a seed, whether it is right. */
public final class BulkSink extends QuietHandler {
    private final ArrivalLog arrivals = new ArrivalLog();
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Null where nobody looks at the payload. */
    private final PayloadCheck check;

    /**
     * Creates a receiver.
     *
     * @param check what to hold the payload against, or null
     * @param failure where to note that the connection has ended before the stream
     */
    public BulkSink(PayloadCheck check, AtomicReference<String> failure) {
        super("a bulk flow's receiver", failure);
        this.check = check;
    }

    /** {@return what has arrived} */
    public ArrivalLog arrivals() {
        return arrivals;
    }

    /** {@return whether the whole stream has arrived, with its end} */
    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** {@return whether the whole stream has arrived, with its end, within the limit} */
    public boolean awaitEnd(OwnTimeLimit limit) throws InterruptedException {
        return limit.await(ended::await);
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        arrivals.add(connection.host().nowNanos(), length);
        if (check != null) {
            check.onBytes(buffer, index, length);
        }
        return length;
    }

    @Override
    public void onEnd(Connection connection) {
        allowEnd();
        connection.shutdownOutput();
        ended.countDown();
    }
}
