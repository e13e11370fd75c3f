package io.weir.transport.threads;

import io.weir.transport.host.Connection;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What application threads do in the laboratory of threads. Everything is the turn's thread's. */
final class Talkers {
    static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", PORT);
    private static final Duration CONNECT_TIME = Duration.ofSeconds(1);
    private static final long SERVED_NANOS_MAX = 60_000_000_000L;
    /** Within which the one who stops listening listens again, if ever. */
    private static final long RELISTEN_NANOS_MAX = 1_000_000_000L;

    private static final int PIECE_BYTES_MAX = 6_000;

    private final ThreadOrder order;
    private final Transport client;
    private final List<Talk> talks;
    /** Replaced when somebody listens again; null when nobody does any more. */
    private WeirServerSocket listener;
    /** Whether any failure is somebody's doing. */
    private boolean isAllDisturbed;
    /** Whether no client connects any more. */
    private boolean isOver;

    private int operationCount;

    Talkers(ThreadOrder order, Transport client, WeirServerSocket listener, List<Talk> talks) {
        this.order = order;
        this.client = client;
        this.listener = listener;
        this.talks = talks;
    }

    ThreadOrder order() {
        return order;
    }

    WeirServerSocket listener() {
        return listener;
    }

    void setListener(WeirServerSocket value) {
        listener = value;
    }

    void stopConnecting() {
        isOver = true;
    }

    void disturbAll() {
        isAllDisturbed = true;
    }

    /** {@return whether conversations may have ended before they began} */
    boolean isCutShort() {
        return isAllDisturbed || isAnyDisturbed();
    }

    int operationCount() {
        return operationCount;
    }

    /** Something failed, which is a finding unless somebody has interfered. */
    void onTrouble(Talk talk, Exception problem) {
        boolean isExplained = isAllDisturbed || (talk == null ? isAnyDisturbed() : talk.isDisturbed);
        if (!isExplained) {
            order.fail((talk == null ? "before its first bytes, a connection" : talk) + " failed: " + problem, problem);
        }
    }

    private boolean isAnyDisturbed() {
        return talks.stream().anyMatch(talk -> talk.isDisturbed);
    }

    // ---- clients

    /** Has these conversations, one after the other. */
    void converse(List<Talk> mine) {
        for (Talk talk : mine) {
            if (isOver) {
                return;
            }
            try {
                attempt(talk);
            } catch (InterruptedIOException e) {
                // Only for this: what the seed interrupts, it disturbs.
                talk.isDisturbed = true;
                Thread.interrupted();
            } catch (IOException e) {
                onTrouble(talk, e);
            } finally {
                close(talk.near);
            }
        }
    }

    private void close(WeirSocket socket) {
        if (socket != null) {
            operationCount++;
            socket.close();
        }
    }

    private void attempt(Talk talk) throws IOException {
        at("connect", null);
        WeirSocket socket = client.connect(SERVER, CONNECT_TIME);
        talk.near = socket;
        if (talk.isDuplex) {
            BooleanSupplier hasRead =
                    spawn(talk, "reads " + talk.id, () -> read(talk, socket, false, 0, talk.responseBytes));
            write(talk, socket, true, 0);
            await(hasRead);
            socket.shutdownOutput();
        } else {
            write(talk, socket, true, 0);
            if (talk.isHalfClosed) {
                operationCount++;
                socket.shutdownOutput();
            }
            read(talk, socket, false, 0, talk.responseBytes);
            readEnd(talk, socket);
        }
    }

    // ---- servers

    /** Accepts and answers until nobody listens. */
    void serve() {
        while (listener != null) {
            WeirServerSocket current = listener;
            WeirSocket socket = null;
            try {
                at("accept", () -> queued(current) > 0);
                socket = current.accept();
                serve(socket);
            } catch (InterruptedIOException e) {
                Thread.interrupted();
                disturb(socket);
            } catch (IOException e) {
                if (socket == null && !order.waitFor(() -> listener != current, RELISTEN_NANOS_MAX)) {
                    onTrouble(null, e);
                    return;
                }
                if (socket != null) {
                    onTrouble(find(socket), e);
                }
            } finally {
                close(socket);
            }
        }
    }

    private void disturb(WeirSocket socket) {
        Talk talk = socket == null ? null : find(socket);
        if (talk != null) {
            talk.isDisturbed = true;
        } else if (socket != null) {
            isAllDisturbed = true;
        }
    }

    private Talk find(WeirSocket socket) {
        return talks.stream().filter(talk -> talk.far == socket).findFirst().orElse(null);
    }

    private void serve(WeirSocket socket) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(Talk.HEADER_BYTES);
        while (header.hasRemaining()) {
            at("read", () -> mustRead(socket));
            if (socket.read(header) < 0) {
                throw new IOException("the stream ends within its first bytes");
            }
        }
        Talk talk = talks.get(header.getInt(0));
        talk.far = socket;
        if (talk.isByListener) {
            operationCount++;
            socket.setListener(new ListeningTalker(this, talk, Talk.HEADER_BYTES));
            await(() -> talk.isServed);
            return;
        }
        if (talk.isDuplex) {
            BooleanSupplier hasWritten = spawn(talk, "writes " + talk.id, () -> write(talk, socket, false, 0));
            read(talk, socket, true, Talk.HEADER_BYTES, talk.requestBytes);
            await(hasWritten);
        } else {
            read(talk, socket, true, Talk.HEADER_BYTES, talk.requestBytes);
            write(talk, socket, false, 0);
        }
        operationCount++;
        socket.shutdownOutput();
        readEnd(talk, socket);
    }

    private void await(BooleanSupplier condition) {
        at("waits for another thread", condition);
        if (!order.waitFor(condition, SERVED_NANOS_MAX)) {
            order.fail("another thread does not come to its end", null);
        }
    }

    // ---- both

    private interface Part {
        void run() throws IOException;
    }

    /** {@return whether the part, which another thread does, has ended} */
    private BooleanSupplier spawn(Talk talk, String name, Part part) {
        TurnThread thread = new TurnThread(
                () -> {
                    try {
                        part.run();
                    } catch (IOException e) {
                        onTrouble(talk, e);
                    }
                },
                name);
        order.start(thread);
        return thread::hasEnded;
    }

    /** The calling thread is about to do this; {@code hasCome} says whether it would wait for what is there. */
    void at(String operation, BooleanSupplier hasCome) {
        operationCount++;
        TurnThread.current().setActivity(operation, hasCome);
    }

    private void write(Talk talk, WeirSocket socket, boolean isRequest, int from) throws IOException {
        int total = isRequest ? talk.requestBytes : talk.responseBytes;
        int sent = from;
        while (sent < total) {
            ByteBuffer source = talk.bytes(isRequest, sent, 1 + order.nextInt(PIECE_BYTES_MAX));
            sent += source.remaining();
            at("write", () -> mustWrite(socket));
            socket.write(source);
        }
    }

    private void read(Talk talk, WeirSocket socket, boolean isRequest, int from, int to) throws IOException {
        int received = from;
        while (received < to) {
            ByteBuffer target = ByteBuffer.allocate(1 + order.nextInt(PIECE_BYTES_MAX));
            at("read", () -> mustRead(socket));
            int count = socket.read(target);
            if (count < 0) {
                throw new IOException("the stream ends after " + received + " of " + to + " bytes");
            }
            check(talk, isRequest, received, target.flip());
            received += count;
        }
    }

    private void readEnd(Talk talk, WeirSocket socket) throws IOException {
        at("read", () -> mustRead(socket));
        int count = socket.read(ByteBuffer.allocate(64));
        if (count >= 0 && !talk.isDisturbed) {
            order.fail(talk + ": " + count + " bytes after the end", null);
        }
    }

    /** Bytes are right whatever was disturbed. */
    void check(Talk talk, boolean isRequest, int offset, ByteBuffer bytes) {
        for (int i = 0; i < bytes.remaining(); i++) {
            if (bytes.get(i) != talk.octet(isRequest, offset + i)) {
                order.fail(talk + ": a wrong byte at " + (offset + i), null);
            }
        }
        if (offset + bytes.remaining() > (isRequest ? talk.requestBytes : talk.responseBytes)) {
            order.fail(talk + ": more bytes than were sent", null);
        }
    }

    // ---- what others can see of a wait

    private static boolean mustRead(WeirSocket socket) {
        Connection connection = (Connection) field(socket, "connection");
        try {
            return socket.available() > 0 || connection.isInputAtEnd() || connection.closeReason() != null;
        } catch (IOException e) {
            // It is closed.
            return true;
        }
    }

    private static boolean mustWrite(WeirSocket socket) {
        Connection connection = (Connection) field(socket, "connection");
        return connection.closeReason() != null || (boolean) field(socket, "isClosed");
    }

    private static int queued(WeirServerSocket socket) {
        return ((Collection<?>) field(socket, "accepted")).size();
    }

    /** {@return what a field has, of this object or another: nobody but the laboratory needs to know} */
    static Object field(Object object, String name) {
        return field(object, object.getClass(), name);
    }

    static Object field(Object object, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(object + " has no field " + name, e);
        }
    }
}
