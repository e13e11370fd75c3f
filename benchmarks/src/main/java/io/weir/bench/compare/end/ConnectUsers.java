package io.weir.bench.compare.end;

import java.util.concurrent.atomic.AtomicLong;

/** Opens a connection, has a byte sent back, closes it, and so on until the run is over. */
final class ConnectUsers {
    private static final double NANOS_PER_SECOND = 1e9;

    private final ClientRun run;
    private final Pipes pipes;
    /** Connections that came and went within the window; their threads may differ, but take turns. */
    private final AtomicLong count = new AtomicLong();

    private volatile boolean isBegun;

    ConnectUsers(ClientRun run, Pipes pipes) {
        this.run = run;
        this.pipes = pipes;
    }

    void start() {
        pipes.connect(new One());
    }

    /** One of them. */
    private final class One implements PipeUser {
        private boolean isAnswered;

        @Override
        public void onOpen(Pipe pipe) {
            if (!isBegun) {
                isBegun = true;
                run.begin();
            }
            pipe.write(1);
        }

        @Override
        public void onWritable(Pipe pipe) {
            // One byte always has room.
        }

        @Override
        public void onBytes(Pipe pipe, int bytes) {
            isAnswered = true;
            long nowNanos = System.nanoTime();
            if (run.isOver(nowNanos)) {
                run.out()
                        .value(
                                "connectsPerSecond",
                                count.get() * NANOS_PER_SECOND / run.spec().windowNanos());
                run.end();
                pipe.close();
                return;
            }
            if (run.isCounting(nowNanos)) {
                count.incrementAndGet();
            }
            pipe.close();
            pipes.connect(new One());
        }

        @Override
        public void onClosed(Pipe pipe, String failure) {
            if (!isAnswered && !run.hasEnded()) {
                run.fail("a connection failed: " + failure);
            }
        }
    }
}
