package io.weir.bench.compare;

import io.weir.bench.compare.end.Task;

/**
 * What each subject does in turn.
 *
 * @param task what
 * @param sizeBytes bytes of a message, where the task has messages
 * @param connections how many connections
 * @param outstanding how many calls each of them has open at once
 */
record Job(Task task, int sizeBytes, int connections, int outstanding) {
    /** Creates a job without calls. */
    Job(Task task, int sizeBytes, int connections) {
        this(task, sizeBytes, connections, 1);
    }

    /** {@return a name for reports, unique among jobs} */
    String label() {
        return switch (task) {
            case BULK -> "bulk";
            case DUPLEX -> "bulk both ways";
            case CALLS ->
                "calls, " + sizeBytes + " B, " + connections + (connections == 1 ? " connection, " : " connections, ")
                        + outstanding + " outstanding";
            case ROUND_TRIPS -> "round trips, " + sizeBytes + " B";
            case CONNECTS -> "connections one after the other";
            case MANY -> connections == 1 ? "1 open connection" : connections + " open connections";
            case IDLE -> "idle";
        };
    }
}
