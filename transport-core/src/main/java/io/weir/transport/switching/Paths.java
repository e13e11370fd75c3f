package io.weir.transport.switching;

/** The ports that lead to a destination, in an order that is the same at all switches. */
final class Paths {
    private final int layer;
    private final int[] ports;
    private int turn;

    Paths(int layer, int... ports) {
        this.layer = layer;
        this.ports = ports.clone();
    }

    /** {@return the layer of the ports' links, the same at both their ends} */
    int layer() {
        return layer;
    }

    int count() {
        return ports.length;
    }

    int port(int choice) {
        return ports[choice];
    }

    int nextInTurn() {
        int port = ports[turn];
        turn = turn + 1 == ports.length ? 0 : turn + 1;
        return port;
    }
}
