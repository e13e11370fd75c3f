package io.weir.bench.compare.end;

/** Sends a message when the one before has come back. */
final class RoundTripUser implements PipeUser {
    private final ClientRun run;
    private final RoundTripLog times;
    private final int sizeBytes;
    /** Bytes of the message that are still to be written. */
    private int unsentBytes;
    /** Bytes of the answer that are still to come. */
    private int awaitedBytes;

    private long sentNanos;

    RoundTripUser(ClientRun run) {
        this.run = run;
        this.times = new RoundTripLog(run);
        this.sizeBytes = run.spec().sizeBytes();
    }

    @Override
    public void onOpen(Pipe pipe) {
        run.begin();
        next(pipe, System.nanoTime());
    }

    private void next(Pipe pipe, long nowNanos) {
        unsentBytes = sizeBytes;
        awaitedBytes = sizeBytes;
        sentNanos = nowNanos;
        onWritable(pipe);
    }

    @Override
    public void onWritable(Pipe pipe) {
        if (unsentBytes > 0) {
            unsentBytes -= pipe.write(unsentBytes);
        }
    }

    @Override
    public void onBytes(Pipe pipe, int bytes) {
        awaitedBytes -= bytes;
        if (awaitedBytes > 0) {
            return;
        }
        long nowNanos = System.nanoTime();
        if (times.note(sentNanos, nowNanos)) {
            next(pipe, nowNanos);
        } else {
            times.report();
            run.end();
            pipe.close();
        }
    }

    @Override
    public void onClosed(Pipe pipe, String failure) {
        if (!run.hasEnded()) {
            run.fail("the connection ended early: " + failure);
        }
    }
}
