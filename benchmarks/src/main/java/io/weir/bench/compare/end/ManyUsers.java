package io.weir.bench.compare.end;

/** Opens many connections; when all are open, the last carries a stream: its thread is at hand. */
final class ManyUsers {
    private final ClientRun run;
    private final BulkUser bulk;
    private final OpenUsers connections;

    ManyUsers(ClientRun run, Pipes pipes) {
        this.run = run;
        this.bulk = new BulkUser(run);
        this.connections = new OpenUsers(run, pipes, One::new);
    }

    void start() {
        connections.start();
    }

    /** One of them. */
    private final class One implements OpenUsers.Member {
        private boolean isStream;

        @Override
        public void onOpen(Pipe pipe, boolean isLast) {
            isStream = isLast;
            if (isStream) {
                bulk.onOpen(pipe);
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
    }
}
