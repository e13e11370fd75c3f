package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.perf.carrier.LinkHandler;
import io.weir.transport.host.CloseReason;
import java.util.function.BiFunction;
import org.agrona.DirectBuffer;

/** A connection that came to a server: reads its purpose, then hands it to its owner. */
final class IncomingConnection implements LinkHandler {
    private final BiFunction<Preface, Link, LinkHandler> router;
    private LinkHandler target;

    /**
     * Creates the handler of one connection.
     *
     * @param router tells who has the connection from its preface on, or null for nobody
     */
    IncomingConnection(BiFunction<Preface, Link, LinkHandler> router) {
        this.router = router;
    }

    @Override
    public void onConnected(Link link) {
        // The client speaks first.
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        if (target != null) {
            return target.onData(link, buffer, index, length);
        }
        if (length < Preface.BYTES) {
            return 0;
        }
        Preface preface = Preface.decode(buffer, index);
        target = preface == null ? null : router.apply(preface, link);
        if (target == null) {
            link.abort();
            return length;
        }
        int rest = length - Preface.BYTES;
        return Preface.BYTES + (rest == 0 ? 0 : target.onData(link, buffer, index + Preface.BYTES, rest));
    }

    @Override
    public void onEnd(Link link) {
        if (target == null) {
            link.abort();
        } else {
            target.onEnd(link);
        }
    }

    @Override
    public void onWritable(Link link) {
        if (target != null) {
            target.onWritable(link);
        }
    }

    @Override
    public void onClosed(Link link, CloseReason reason) {
        if (target != null) {
            target.onClosed(link, reason);
        }
    }
}
