package io.weir.transport.testing;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The application of a {@link Script}: it notes its events, and takes as much data as it is told to. */
public final class ScriptApp implements ConnectionHandler {
    private final List<String> events = new ArrayList<>();
    private long takeBytes = Long.MAX_VALUE;
    private long receivedBytes;
    private boolean isCareless;
    private Connection connection;
    private Runnable onConnected = () -> {};
    private Runnable onData = () -> {};

    /** Takes {@code bytes} more and then nothing. */
    public void take(long bytes) {
        takeBytes = bytes;
    }

    /** Takes bytes without a look at them: for peers that lie about their stream. */
    public void takeAnything() {
        isCareless = true;
    }

    /** Does something at the moment at which the connection is open. */
    public void whenConnected(Runnable action) {
        onConnected = action;
    }

    /** Does something each time data has been taken. */
    public void whenData(Runnable action) {
        onData = action;
    }

    /** {@return what was heard since the last question, in order} */
    public List<String> takeEvents() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** {@return bytes received} */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** {@return the connection, once it is open} */
    public Connection connection() {
        return connection;
    }

    @Override
    public void onConnected(Connection newConnection) {
        connection = newConnection;
        events.add("connected");
        onConnected.run();
    }

    @Override
    public int onData(Connection from, DirectBuffer buffer, int index, int length) {
        int taken = (int) Math.min(length, takeBytes);
        int matching = StreamBytes.match(buffer, index, taken, PeerFrames.STREAM_SEED, receivedBytes);
        if (matching < taken && !isCareless) {
            throw new AssertionError("byte " + (receivedBytes + matching) + " of the stream is wrong");
        }
        receivedBytes += taken;
        takeBytes -= taken;
        onData.run();
        return taken;
    }

    @Override
    public void onEnd(Connection from) {
        events.add("end");
    }

    @Override
    public void onWritable(Connection to) {
        events.add("writable");
    }

    @Override
    public void onClosed(Connection from, CloseReason reason) {
        events.add("closed " + reason);
    }
}
