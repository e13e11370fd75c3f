package io.weir.bench.compare.end;

/** The server's side of a connection: counts what comes, or sends it back. */
final class ServerUser implements PipeUser {
    private final boolean echoes;
    private final ArrivalCount arrivals;
    /** Bytes that are still to be sent back. */
    private int owedBytes;

    ServerUser(boolean echoes, ArrivalCount arrivals) {
        this.echoes = echoes;
        this.arrivals = arrivals;
    }

    @Override
    public void onOpen(Pipe pipe) {}

    @Override
    public void onBytes(Pipe pipe, int bytes) {
        if (echoes) {
            owedBytes += bytes;
            onWritable(pipe);
        } else {
            arrivals.add(bytes);
        }
    }

    @Override
    public void onWritable(Pipe pipe) {
        if (owedBytes > 0) {
            owedBytes -= pipe.write(owedBytes);
        }
    }

    @Override
    public void onClosed(Pipe pipe, String failure) {
        // The client judges the run.
    }
}
