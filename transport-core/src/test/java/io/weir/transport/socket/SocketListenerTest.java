package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what {@link SocketListener}s are told. */
class SocketListenerTest {
    /** Tells the first thing that a read finds, but for nothing. */
    private record FirstRead(CompletableFuture<Integer> found) implements SocketListener {
        @Override
        public void onReadable(WeirSocket socket) {
            try {
                int count = socket.tryRead(ByteBuffer.allocate(1));
                if (count != 0) {
                    found.complete(count);
                }
            } catch (IOException e) {
                found.completeExceptionally(e);
            }
        }

        @Override
        public void onWritable(WeirSocket socket) {
            // Nothing is written.
        }
    }

    @Test
    void onReadable_inputShutByAnotherThread_findsTheEnd() throws Exception {
        try (TwoTransports pair = new TwoTransports()) {
            FirstRead listener = new FirstRead(new CompletableFuture<>());
            pair.near().setListener(listener);
            // The listener's first look is over when this has run.
            CompletableFuture<Void> looked = new CompletableFuture<>();
            pair.client.execute(now -> looked.complete(null));
            looked.get(TwoTransports.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            pair.near().shutdownInput();
            assertEquals(-1, listener.found().get(TwoTransports.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
