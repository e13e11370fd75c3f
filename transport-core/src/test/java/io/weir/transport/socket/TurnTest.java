package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.host.Connection;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.testing.PassiveHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link Turn}: code that runs in the cycles of a thread that waits for its call waits for its turn, too. */
class TurnTest {
    private static final int PORT = TwoTransports.PORT;

    /** Tells of events only while a call waits. */
    private static final class OnEvent implements SocketListener {
        private LoopTask action = now -> {};

        @Override
        public void onReadable(WeirSocket socket) {
            action.run(0);
        }

        @Override
        public void onWritable(WeirSocket socket) {
            action.run(0);
        }
    }

    @Test
    void tryWrite_inACycleOfTheThreadThatWrites_putsNothingBetweenItsBytes() throws IOException {
        int[] received = new int[1];
        int[] foreign = new int[1];
        try (VirtualPair two = new VirtualPair()) {
            two.server.listen(PORT, connection -> new PassiveHandler() {
                @Override
                public int onData(Connection from, DirectBuffer buffer, int index, int length) {
                    for (int i = 0; i < length; i++) {
                        foreign[0] += buffer.getByte(index + i);
                    }
                    received[0] += length;
                    return length;
                }
            });
            WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO);
            OnEvent events = new OnEvent();
            socket.setListener(events);
            List<Integer> written = new ArrayList<>();
            events.action = now -> written.add(tryWriteOne(socket));
            socket.write(ByteBuffer.allocate(8 << 20));
            events.action = now -> {};
            assertEquals(0, written.stream().mapToInt(Integer::intValue).sum(), "of " + written.size() + " events");
            assertEquals(0, foreign[0], "of " + received[0] + " bytes");
            socket.abort();
        }
    }

    private static int tryWriteOne(WeirSocket socket) {
        try {
            return socket.tryWrite(ByteBuffer.wrap(new byte[] {1}));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tryRead_inACycleOfTheThreadThatReads_takesNoneOfItsBytes() throws IOException {
        byte[] answer = {1, 2, 3};
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.server.listen(PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO)) {
            OnEvent events = new OnEvent();
            socket.setListener(events);
            List<Integer> read = new ArrayList<>();
            events.action = now -> read.add(tryReadOne(socket));
            socket.setReadTimeout(Duration.ofSeconds(1));
            socket.write(ByteBuffer.wrap(answer));
            WeirSocket far = listener.accept();
            far.write(ByteBuffer.wrap(answer));
            ByteBuffer taken = ByteBuffer.allocate(3);
            while (taken.hasRemaining()) {
                socket.read(taken);
            }
            assertArrayEquals(answer, taken.array());
            assertEquals(0, read.stream().mapToInt(Integer::intValue).sum(), "of " + read.size() + " events");
            socket.abort();
        }
    }

    private static int tryReadOne(WeirSocket socket) {
        try {
            return socket.tryRead(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void write_inACycleOfTheThreadThatWrites_isRefused() throws IOException {
        try (VirtualPair two = new VirtualPair();
                WeirServerSocket listener = two.server.listen(PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, Duration.ZERO)) {
            assertEquals(PORT, listener.localPort());
            OnEvent events = new OnEvent();
            socket.setListener(events);
            List<IllegalStateException> refusals = new ArrayList<>();
            events.action = now -> refusals.add(
                    assertThrows(IllegalStateException.class, () -> socket.write(ByteBuffer.wrap(new byte[] {1}))));
            socket.setWriteTimeout(Duration.ofMillis(200));
            assertThrows(IOException.class, () -> socket.write(ByteBuffer.allocate(16 << 20)));
            assertFalse(refusals.isEmpty());
            events.action = now -> {};
            socket.abort();
        }
    }
}
