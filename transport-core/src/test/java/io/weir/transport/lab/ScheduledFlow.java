package io.weir.transport.lab;

/**
 * One connection of a schedule.
 *
 * @param from the host that opens it, counted from 0
 * @param to the host that listens
 * @param upBytes what the opener sends
 * @param downBytes what the listener sends
 * @param isEager whether the opener writes before it is connected
 */
record ScheduledFlow(int from, int to, long startNanos, long upBytes, long downBytes, boolean isEager) {
    boolean uses(int host) {
        return from == host || to == host;
    }

    @Override
    public String toString() {
        return "h" + from + ">h" + to + "@" + startNanos / 1_000 + "us up=" + upBytes + " down=" + downBytes;
    }
}
