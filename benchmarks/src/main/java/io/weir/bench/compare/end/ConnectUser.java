package io.weir.bench.compare.end;

/** Opens a connection, has a byte sent back, closes it, and so on until the run is over. */
final class ConnectUser implements PipeUser {
    private static final double NANOS_PER_SECOND = 1e9;

    private final ClientRun run;
    private final Pipes pipes;
    /** Connections that came and went within the window; the connection's thread writes. */
    private long count;

    private boolean isBegun;
    private boolean isAnswered;

    ConnectUser(ClientRun run, Pipes pipes) {
        this.run = run;
        this.pipes = pipes;
    }

    @Override
    public void onOpen(Pipe pipe) {
        if (!isBegun) {
            isBegun = true;
            run.begin();
        }
        isAnswered = false;
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
        count += run.isCounting(nowNanos) ? 1 : 0;
        pipe.close();
        if (run.isOver(nowNanos)) {
            run.out()
                    .value(
                            "connectsPerSecond",
                            count * NANOS_PER_SECOND / run.spec().windowNanos());
            run.end();
        } else {
            pipes.connect(this);
        }
    }

    @Override
    public void onClosed(Pipe pipe, String failure) {
        if (!isAnswered && !run.hasEnded()) {
            run.fail("a connection failed: " + failure);
        }
    }
}
