package io.weir.transport.host;

import java.util.ArrayDeque;

/**
 * The connections whose next credit is due and waits until the host's meter has room: each is in it once, so that no flow can hold more
 * places than another, and a credit is made only when it can leave. O(1) per turn; allocates only to grow.
 *
 * <p>A flow that did not wait in the turn before goes before those that did: what it asks for is little, a message's credit or
 * a rate that the network bounds. The others share what is left, one credit in turn.
 */
final class CreditTurns {
    /** Flows that come from elsewhere: from a gap between their credits, or from having nothing to ask for. */
    private final ArrayDeque<Connection> arriving = new ArrayDeque<>();
    /** Flows that have had a turn and want the next at once. */
    private final ArrayDeque<Connection> staying = new ArrayDeque<>();

    /**
     * Lets a connection wait for a turn.
     *
     * @param hasHadTurn whether it comes from the turn before
     */
    void add(Connection connection, boolean hasHadTurn) {
        (hasHadTurn ? staying : arriving).add(connection);
    }

    /** {@return the connection whose turn is next, or null when none waits} */
    Connection peek() {
        Connection first = arriving.peek();
        return first == null ? staying.peek() : first;
    }

    /** {@return the connection whose turn it is, which waits no longer, or null when none waits} */
    Connection poll() {
        Connection first = arriving.poll();
        return first == null ? staying.poll() : first;
    }

    boolean isEmpty() {
        return arriving.isEmpty() && staying.isEmpty();
    }
}
