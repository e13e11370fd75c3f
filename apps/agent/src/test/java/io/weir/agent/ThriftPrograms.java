package io.weir.agent;

import java.nio.ByteBuffer;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.server.TThreadedSelectorServer;
import org.apache.thrift.transport.TNonblockingServerSocket;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;

/** Thrift's server with selectors and its client with a blocking socket, for a call that gives back its argument. */
final class ThriftPrograms {
    private static final byte[] LITTLE = {1};

    private ThriftPrograms() {}

    /** Serves until it is ended. */
    static void serve(int port) throws TException {
        TThreadedSelectorServer server = new TThreadedSelectorServer(
                new TThreadedSelectorServer.Args(new TNonblockingServerSocket(port)).processor(new Echo()));
        Thread serving = new Thread(server::serve);
        serving.start();
        while (!server.isServing()) {
            Thread.onSpinWait();
        }
        System.out.println("listening");
    }

    /** What the client calls. */
    private static final class Echo implements TProcessor {
        @Override
        public void process(TProtocol in, TProtocol out) throws TException {
            TMessage call = in.readMessageBegin();
            ByteBuffer bytes = in.readBinary();
            in.readMessageEnd();
            out.writeMessageBegin(new TMessage(call.name, TMessageType.REPLY, call.seqid));
            out.writeBinary(bytes);
            out.writeMessageEnd();
            out.getTransport().flush();
        }
    }

    /** A connection, and another one after a failure. */
    static final class Client implements ForeignClient {
        private final String host;
        private final int port;
        /** Null until the first call and after a failure. */
        private TProtocol protocol;

        private int callCount;

        Client(String host, int port) {
            this.host = host;
            this.port = port;
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws TException {
            boolean isDone = false;
            try {
                if (protocol == null) {
                    TSocket socket = new TSocket(TConfiguration.DEFAULT, host, port);
                    protocol = new TBinaryProtocol(new TFramedTransport(socket));
                    protocol.getTransport().open();
                }
                byte[] back = call(bytes);
                isDone = true;
                return back;
            } finally {
                if (!isDone) {
                    close();
                }
            }
        }

        private byte[] call(byte[] bytes) throws TException {
            protocol.writeMessageBegin(new TMessage("echo", TMessageType.CALL, ++callCount));
            protocol.writeBinary(ByteBuffer.wrap(bytes));
            protocol.writeMessageEnd();
            protocol.getTransport().flush();
            TMessage answer = protocol.readMessageBegin();
            ByteBuffer came = protocol.readBinary();
            protocol.readMessageEnd();
            if (answer.seqid != callCount) {
                throw new TException("the answer to call " + answer.seqid + ", and not to " + callCount);
            }
            byte[] back = new byte[came.remaining()];
            came.get(back);
            return back;
        }

        @Override
        public void touch() throws TException {
            exchange(LITTLE, 0);
        }

        @Override
        public void close() {
            if (protocol != null) {
                protocol.getTransport().close();
                protocol = null;
            }
        }
    }
}
