package io.weir.bench.compare.end;

/** Sends as fast as it goes until the run is over, and counts what comes the other way. */
final class BulkUser implements PipeUser {
    private static final int CHUNK_BYTES = 128 * 1024;

    private final ClientRun run;
    /** Counts what comes, or null where nothing may. */
    private final ArrivalCount arrivals;

    private int leftBytes;

    BulkUser(ClientRun run) {
        this(run, null);
    }

    BulkUser(ClientRun run, ArrivalCount arrivals) {
        this.run = run;
        this.arrivals = arrivals;
    }

    @Override
    public void onOpen(Pipe pipe) {
        run.begin();
        onWritable(pipe);
    }

    @Override
    public void onWritable(Pipe pipe) {
        while (!run.hasEnded()) {
            if (leftBytes == 0) {
                if (run.isOver(System.nanoTime())) {
                    run.end();
                    pipe.close();
                    return;
                }
                leftBytes = CHUNK_BYTES;
            }
            int written = pipe.write(leftBytes);
            leftBytes -= written;
            if (leftBytes > 0) {
                return;
            }
        }
    }

    @Override
    public void onBytes(Pipe pipe, int bytes) {
        if (arrivals == null) {
            run.fail("the server sent " + bytes + " B where nothing was expected");
        } else {
            arrivals.add(bytes);
        }
    }

    @Override
    public void onClosed(Pipe pipe, String failure) {
        if (!run.hasEnded()) {
            run.fail("the stream ended early: " + failure);
        }
    }
}
