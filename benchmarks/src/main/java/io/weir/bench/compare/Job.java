package io.weir.bench.compare;

import io.weir.bench.compare.end.Task;

/**
 * What each subject does in turn.
 *
 * @param task what
 * @param sizeBytes bytes of a message, where the task has messages
 * @param connections how many connections
 */
record Job(Task task, int sizeBytes, int connections) {
    /** {@return a name for reports, unique among jobs} */
    String label() {
        return switch (task) {
            case BULK -> "bulk";
            case ROUND_TRIPS -> "round trips, " + sizeBytes + " B";
            case CONNECTS -> "connections one after the other";
            case MANY -> connections == 1 ? "1 open connection" : connections + " open connections";
            case IDLE -> "idle";
        };
    }
}
