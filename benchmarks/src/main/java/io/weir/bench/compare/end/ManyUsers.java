package io.weir.bench.compare.end;

/** Opens many connections, some at a time; when all are open, the last carries a stream. */
final class ManyUsers {
    private static final int OPENING_MAX = 32;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ClientRun run;
    private final Pipes pipes;
    private final BulkUser bulk;
    private final int count;
    /** Connections asked for. Guarded by this. */
    private int askedCount;
    /** Connections that are open. Guarded by this. */
    private int openCount;

    private long startNanos;

    ManyUsers(ClientRun run, Pipes pipes) {
        this.run = run;
        this.pipes = pipes;
        this.bulk = new BulkUser(run);
        this.count = run.spec().count();
    }

    void start() {
        startNanos = System.nanoTime();
        int first = Math.min(OPENING_MAX, count);
        for (int i = 0; i < first; i++) {
            ask();
        }
    }

    private void ask() {
        synchronized (this) {
            if (askedCount == count) {
                return;
            }
            askedCount++;
        }
        pipes.connect(new One());
    }

    private boolean opened() {
        synchronized (this) {
            openCount++;
            if (openCount < count) {
                return false;
            }
        }
        double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
        run.out().value("opensPerSecond", count / seconds);
        return true;
    }

    /** One of them. The last to open carries the stream: its thread is at hand. */
    private final class One implements PipeUser {
        private boolean isOpen;
        private boolean isStream;

        @Override
        public void onOpen(Pipe pipe) {
            isOpen = true;
            isStream = opened();
            if (isStream) {
                bulk.onOpen(pipe);
            } else {
                ask();
            }
        }

        @Override
        public void onBytes(Pipe pipe, int bytes) {
            run.fail("the server sent " + bytes + " B where nothing was expected");
        }

        @Override
        public void onWritable(Pipe pipe) {
            if (isStream) {
                bulk.onWritable(pipe);
            }
        }

        @Override
        public void onClosed(Pipe pipe, String failure) {
            if (!run.hasEnded()) {
                run.fail((isOpen ? "a connection ended early: " : "a connection failed: ") + failure);
            }
        }
    }
}
