package io.weir.bench.compare.end;

/** The server's side of a connection: counts what comes, sends it back, answers messages, or sends too. */
final class ServerUser implements PipeUser {
    private static final int CHUNK_BYTES = 128 * 1024;

    private final Task task;
    private final int sizeBytes;
    private final ArrivalCount arrivals;
    /** Bytes that are still to be sent. */
    private long owedBytes;
    /** Bytes of the message that is arriving. */
    private int partBytes;

    ServerUser(EndSpec spec, ArrivalCount arrivals) {
        this.task = spec.task();
        this.sizeBytes = spec.sizeBytes();
        this.arrivals = arrivals;
    }

    @Override
    public void onOpen(Pipe pipe) {
        if (task == Task.DUPLEX) {
            owedBytes = Long.MAX_VALUE;
            onWritable(pipe);
        }
    }

    @Override
    public void onBytes(Pipe pipe, int bytes) {
        switch (task) {
            case ROUND_TRIPS, CONNECTS -> {
                owedBytes += bytes;
                onWritable(pipe);
            }
            case CALLS -> {
                partBytes += bytes;
                owedBytes += partBytes - partBytes % sizeBytes;
                partBytes %= sizeBytes;
                onWritable(pipe);
            }
            case BULK, DUPLEX, MANY, IDLE -> arrivals.add(bytes);
        }
    }

    @Override
    public void onWritable(Pipe pipe) {
        while (owedBytes > 0) {
            int wanted = (int) Math.min(CHUNK_BYTES, owedBytes);
            int written = pipe.write(wanted);
            owedBytes -= written;
            if (written < wanted) {
                return;
            }
        }
    }

    @Override
    public void onClosed(Pipe pipe, String failure) {
        // The client judges the run.
    }
}
