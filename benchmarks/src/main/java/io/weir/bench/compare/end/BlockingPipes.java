package io.weir.bench.compare.end;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** Connections by blocking calls, one at a time and all on one thread: no reader is woken for another's bytes. */
final class BlockingPipes implements Pipes {
    private static final int BUFFER_BYTES = 128 * 1024;

    private final BlockingStreams streams;
    private final BlockingQueue<PipeUser> wanted = new LinkedBlockingQueue<>();
    private Thread clients;

    BlockingPipes(BlockingStreams streams) {
        this.streams = streams;
    }

    @Override
    public void listen(int port, Supplier<PipeUser> users) throws IOException {
        streams.listen(port);
        daemon("compare-server", () -> {
            Buffers buffers = new Buffers();
            while (true) {
                serve(streams.accept(), users.get(), buffers);
            }
        });
    }

    @Override
    public synchronized void connect(PipeUser user) {
        wanted.add(user);
        if (clients == null) {
            clients = daemon("compare-client", () -> {
                Buffers buffers = new Buffers();
                while (true) {
                    PipeUser next = wanted.take();
                    BlockingStreams.Stream stream;
                    try {
                        stream = streams.connect();
                    } catch (IOException e) {
                        next.onClosed(null, e.toString());
                        continue;
                    }
                    serve(stream, next, buffers);
                }
            });
        }
    }

    private static void serve(BlockingStreams.Stream stream, PipeUser user, Buffers buffers) throws IOException {
        String failure = null;
        BlockingPipe pipe = new BlockingPipe(stream, buffers.message);
        try {
            user.onOpen(pipe);
            while (!pipe.isClosed) {
                int bytes = stream.read(buffers.incoming.clear());
                if (bytes < 0) {
                    break;
                }
                user.onBytes(pipe, bytes);
            }
        } catch (IOException | BlockingPipe.BrokenException e) {
            failure = e.toString();
        } finally {
            stream.close();
        }
        user.onClosed(pipe, failure);
    }

    @Override
    public void close() throws IOException {
        streams.close();
    }

    /** What a thread's connections read into and write from, one after the other. */
    private static final class Buffers {
        private final ByteBuffer incoming = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private final ByteBuffer message = ByteBuffer.allocateDirect(BUFFER_BYTES);
    }

    /** Something to do until it fails. */
    private interface Duty {
        void run() throws IOException, InterruptedException;
    }

    private static Thread daemon(String name, Duty duty) {
        Thread thread = new Thread(
                () -> {
                    try {
                        duty.run();
                    } catch (IOException | InterruptedException e) {
                        // The end of the process: its listener is closed.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A connection; everything that is written has room, because the call waits. */
    private static final class BlockingPipe implements Pipe {
        /** A write failed. */
        private static final class BrokenException extends RuntimeException {
            private static final long serialVersionUID = 1;

            BrokenException(IOException cause) {
                super(cause.toString(), cause);
            }
        }

        private final BlockingStreams.Stream stream;
        private final ByteBuffer message;
        private boolean isClosed;

        BlockingPipe(BlockingStreams.Stream stream, ByteBuffer message) {
            this.stream = stream;
            this.message = message;
        }

        @Override
        public int write(int bytes) {
            int length = Math.min(bytes, BUFFER_BYTES);
            try {
                stream.write(message.clear().limit(length));
            } catch (IOException e) {
                throw new BrokenException(e);
            }
            return length;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
