package io.weir.transport.lab;

/**
 * One connection of a schedule.
 *
 * @param from the host that opens it, counted from 0
 * @param to the host that listens
 * @param upBytes what the opener sends
 * @param downBytes what the listener sends
 * @param isEager whether the opener writes before it is connected
 * @param turnBytes how far the opener may be ahead of what it has received while the listener has more to send, who
 *     then only answers: a conversation in messages of that length; 0 when both send what they have
 */
record ScheduledFlow(int from, int to, long startNanos, long upBytes, long downBytes, boolean isEager, int turnBytes) {
    boolean uses(int host) {
        return from == host || to == host;
    }

    @Override
    public String toString() {
        return "h" + from + ">h" + to + "@" + startNanos / 1_000 + "us up=" + upBytes + " down=" + downBytes
                + (turnBytes > 0 ? " in turns of " + turnBytes : "");
    }
}
