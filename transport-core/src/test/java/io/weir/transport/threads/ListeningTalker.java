package io.weir.transport.threads;

import io.weir.transport.socket.SocketListener;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The server's side of a talk on a loop's thread, without a call that waits. */
final class ListeningTalker implements SocketListener {
    private final Talkers talkers;
    private final Talk talk;
    private int receivedBytes;
    private int sentBytes;
    private boolean isOutputShut;

    ListeningTalker(Talkers talkers, Talk talk, int receivedBytes) {
        this.talkers = talkers;
        this.talk = talk;
        this.receivedBytes = receivedBytes;
    }

    @Override
    public void onReadable(WeirSocket socket) {
        step(socket);
    }

    @Override
    public void onWritable(WeirSocket socket) {
        step(socket);
    }

    private void step(WeirSocket socket) {
        if (talk.isServed) {
            return;
        }
        try {
            ByteBuffer target = ByteBuffer.allocate(1 + talkers.order().nextInt(4_000));
            int count = socket.tryRead(target);
            while (count > 0) {
                talkers.check(talk, true, receivedBytes, target.flip());
                receivedBytes += count;
                count = socket.tryRead(target.clear());
            }
            if (receivedBytes == talk.requestBytes) {
                send(socket);
            }
            if (count < 0 && isOutputShut) {
                // First: the call below may tell this listener something again.
                talk.isServed = true;
                socket.close();
            } else if (count < 0 && receivedBytes < talk.requestBytes) {
                talkers.onTrouble(talk, new IOException("the request ends after " + receivedBytes + " bytes"));
                talk.isServed = true;
            }
        } catch (IOException e) {
            talkers.onTrouble(talk, e);
            talk.isServed = true;
        }
    }

    private void send(WeirSocket socket) throws IOException {
        while (sentBytes < talk.responseBytes) {
            ByteBuffer source = talk.bytes(false, sentBytes, 3_000);
            int count = socket.tryWrite(source);
            sentBytes += count;
            if (source.hasRemaining()) {
                return;
            }
        }
        if (!isOutputShut) {
            isOutputShut = true;
            socket.shutdownOutput();
        }
    }
}
