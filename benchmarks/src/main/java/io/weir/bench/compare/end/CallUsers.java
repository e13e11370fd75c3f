package io.weir.bench.compare.end;

import java.util.ArrayList;
import java.util.List;

/**
 * Calls over many open connections, each with so many outstanding: a request, a response of the same size, the next
 * request. All connections belong to one thread.
 */
final class CallUsers {
    private final ClientRun run;
    private final Pipes pipes;
    private final RoundTripLog times;
    private final int sizeBytes;
    private final int outstanding;
    private final OpenUsers connections;
    private final List<Line> lines = new ArrayList<>();
    /** What was counted when the window began, null before. */
    private PipeCounts before;

    private boolean isOver;

    CallUsers(ClientRun run, Pipes pipes) {
        this.run = run;
        this.pipes = pipes;
        this.times = new RoundTripLog(run);
        this.sizeBytes = run.spec().sizeBytes();
        this.outstanding = run.spec().outstanding();
        this.connections = new OpenUsers(run, pipes, Line::new);
    }

    void start() {
        connections.start();
    }

    private void begin() {
        run.begin();
        lines.forEach(Line::begin);
    }

    /** Notes a response; false when no more calls are made. */
    private boolean note(long sentNanos, long nowNanos) {
        if (before == null && run.isCounting(nowNanos)) {
            before = pipes.counts();
        }
        if (isOver) {
            return false;
        }
        isOver = !times.note(sentNanos, nowNanos);
        if (isOver) {
            times.report();
            if (before != null && times.count() > 0) {
                pipes.counts().reportSince(before, times.count(), run.out());
            }
            run.end();
        }
        return !isOver;
    }

    /** One connection. */
    private final class Line implements OpenUsers.Member {
        /** When the calls without a response were made: a ring, the oldest at {@link #first}. */
        private final long[] askedNanos = new long[outstanding];

        private int first;
        private Pipe pipe;
        /** Bytes of requests that are still to be written. */
        private long unsentBytes;
        /** Bytes of the next response that have arrived. */
        private int partBytes;

        @Override
        public void onOpen(Pipe opened, boolean isLast) {
            pipe = opened;
            lines.add(this);
            if (isLast) {
                CallUsers.this.begin();
            }
        }

        void begin() {
            for (int i = 0; i < outstanding; i++) {
                askedNanos[i] = System.nanoTime();
            }
            unsentBytes = (long) outstanding * sizeBytes;
            onWritable(pipe);
        }

        @Override
        public void onWritable(Pipe to) {
            while (unsentBytes > 0) {
                int wanted = (int) Math.min(sizeBytes, unsentBytes);
                int written = to.write(wanted);
                unsentBytes -= written;
                if (written < wanted) {
                    return;
                }
            }
        }

        @Override
        public void onBytes(Pipe from, int bytes) {
            partBytes += bytes;
            if (partBytes < sizeBytes) {
                return;
            }
            long nowNanos = System.nanoTime();
            while (partBytes >= sizeBytes) {
                partBytes -= sizeBytes;
                if (!note(askedNanos[first], nowNanos)) {
                    return;
                }
                askedNanos[first] = nowNanos;
                first = (first + 1) % outstanding;
                unsentBytes += sizeBytes;
            }
            onWritable(from);
        }
    }
}
