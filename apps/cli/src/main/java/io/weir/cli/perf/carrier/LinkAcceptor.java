package io.weir.cli.perf.carrier;

/** Decides who has the connections that come in. */
@FunctionalInterface
public interface LinkAcceptor {
    /** {@return who is told of the connection, which is open} On its loop's thread. */
    LinkHandler accept(Link link);
}
