package io.weir.transport.jdk;

import static io.weir.transport.jdk.StreamCases.bytes;
import static io.weir.transport.jdk.StreamCases.checksum;
import static io.weir.transport.jdk.Threads.inBackground;
import static io.weir.transport.testing.CallLog.failure;
import static io.weir.transport.testing.CallLog.outcome;
import static io.weir.transport.testing.CallLog.result;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Sequences that end a connection: half-close, reset, close, and what is used afterwards. */
final class EndCases {
    private EndCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of("half-close", EndCases::halfClose),
                ParityCase.of("half-close, then reset by the peer", EndCases::halfCloseThenReset),
                ParityCase.of("half-close, then close by the peer", EndCases::halfCloseThenClose),
                ParityCase.of("half-close both ways", EndCases::halfCloseBothWays),
                ParityCase.of("half-close, then answer", EndCases::halfCloseThenAnswer),
                ParityCase.of("shutdown of input", EndCases::shutdownInput),
                ParityCase.of("shutdown of input with bytes unread", EndCases::shutdownInputUnread),
                ParityCase.of("shutdown of both, then close", EndCases::shutdownBoth),
                ParityCase.of("linger 0 resets", EndCases::lingerZero),
                ParityCase.of("write, linger 0, close", EndCases::writeThenReset),
                ParityCase.of("linger delivers", EndCases::lingerDelivers),
                ParityCase.of("close delivers", EndCases::closeDelivers),
                ParityCase.of("close with bytes unread", EndCases::closeUnread),
                ParityCase.of("write to a peer that has closed", EndCases::writeToClosed),
                ParityCase.of("write to a reset connection", EndCases::writeToReset),
                ParityCase.of("reset, then use", EndCases::useAfterReset),
                ParityCase.of("reset, then half-close", EndCases::halfCloseAfterReset),
                ParityCase.of("close of both at once", EndCases::closeBoth),
                ParityCase.of("close of a stream", EndCases::closeOfStream),
                ParityCase.of("close of the input stream, then use of the output", EndCases::closeOfInput),
                ParityCase.of("use after close", EndCases::useAfterClose),
                ParityCase.of("options after close", EndCases::optionsAfterClose),
                ParityCase.of("streams after close", EndCases::streamsAfterClose),
                ParityCase.of("addresses after close", EndCases::addressesAfterClose),
                ParityCase.of("end of the stream, asked for again", EndCases::endAgain),
                ParityCase.of("end of the stream, then write", EndCases::writeAfterEnd),
                ParityCase.of("urgent data", EndCases::urgentData));
    }

    private static void halfClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().getOutputStream().write(new byte[] {1, 2, 3});
            ends.near().shutdownOutput();
            log.add(ends.near().isOutputShutdown());
            log.add(failure(() -> ends.near().getOutputStream().write(4)));
            log.add(failure(ends.near()::shutdownOutput));
            log.add(Arrays.toString(ends.far().getInputStream().readAllBytes()));
            log.add(ends.far().getInputStream().read());
            ends.far().getOutputStream().write(new byte[] {5, 6});
            ends.far().close();
            log.add(Arrays.toString(ends.near().getInputStream().readAllBytes()));
            log.add(ends.near().isClosed());
        }
    }

    private static void halfCloseThenReset(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.near().getOutputStream().write(1);
            ends.near().shutdownOutput();
            log.tell("read", ends.far().getInputStream()::read);
            log.tell("end", ends.far().getInputStream()::read);
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            log.tell("read after the reset", in::read);
            log.tell("read again", in::read);
            log.tell("closed", ends.near()::isClosed);
            log.run("close", ends.near()::close);
        }
    }

    private static void halfCloseThenClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().shutdownOutput();
            log.tell("end", ends.far().getInputStream()::read);
            ends.far().close();
            log.tell("end of the other", ends.near().getInputStream()::read);
            log.tell("connected", ends.near()::isConnected);
            log.run("shutdown of input", ends.near()::shutdownInput);
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void halfCloseBothWays(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().shutdownOutput();
            ends.far().shutdownOutput();
            log.tell("end here", ends.near().getInputStream()::read);
            log.tell("end there", ends.far().getInputStream()::read);
            log.tell("closed", ends.near()::isClosed);
            log.tell("time-out", ends.near()::getSoTimeout);
            log.run("close", ends.near()::close);
        }
    }

    private static void halfCloseThenAnswer(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Long> answered = inBackground(
                    () -> ends.far().getInputStream().transferTo(ends.far().getOutputStream()));
            ends.near().getOutputStream().write(bytes(10_000));
            ends.near().shutdownOutput();
            log.await("answered", answered);
            log.run("half-close there", ends.far()::shutdownOutput);
            log.tell("answer", () -> checksum(ends.near().getInputStream()));
        }
    }

    private static void shutdownInput(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.near().shutdownInput();
            log.add(ends.near().isInputShutdown());
            log.add(in.read());
            log.add(in.available());
            log.add(failure(ends.near()::getInputStream));
            log.add(failure(ends.near()::shutdownInput));
            ends.near().getOutputStream().write(9);
            log.add(ends.far().getInputStream().read());
            ends.far().getOutputStream().write(8);
            log.add(in.read());
        }
    }

    private static void shutdownInputUnread(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.far().getOutputStream().write(new byte[10]);
            while (in.available() < 10) {
                Thread.onSpinWait();
            }
            ends.near().shutdownInput();
            log.tell("available", in::available);
            log.tell("read", in::read);
            ends.near().getOutputStream().write(1);
            log.tell("read there", ends.far().getInputStream()::read);
        }
    }

    private static void shutdownBoth(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.run("output", ends.near()::shutdownOutput);
            log.run("input", ends.near()::shutdownInput);
            log.tell("closed", ends.near()::isClosed);
            log.tell("connected", ends.near()::isConnected);
            log.tell("end there", ends.far().getInputStream()::read);
            log.run("close", ends.near()::close);
            log.run("output again", ends.near()::shutdownOutput);
        }
    }

    private static void lingerZero(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            log.add(failure(() -> ends.far().getInputStream().read()));
            log.add(failure(() -> ends.far().getInputStream().read()));
            log.add(ends.far().isClosed());
        }
    }

    private static void writeThenReset(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.far().getInputStream();
            ends.near().getOutputStream().write(new byte[] {1, 2});
            log.tell("read", in::read);
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            log.tell("unread", in::read);
            log.tell("reset", in::read);
        }
    }

    private static void lingerDelivers(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Long> reader = inBackground(() -> checksum(ends.far().getInputStream()));
            ends.near().setSoLinger(true, 5 * 60);
            ends.near().getOutputStream().write(bytes(1 << 20));
            log.run("close", ends.near()::close);
            log.await("bytes", reader);
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void closeDelivers(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Long> reader = inBackground(() -> checksum(ends.far().getInputStream()));
            ends.near().getOutputStream().write(bytes(1 << 20));
            ends.near().close();
            log.add(result(reader));
            log.add(ends.far().getInputStream().read());
            log.add(ends.near().isClosed());
        }
    }

    private static void closeUnread(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream unread = ends.near().getInputStream();
            ends.far().getOutputStream().write(new byte[10]);
            while (unread.available() < 10) {
                Thread.onSpinWait();
            }
            ends.near().getOutputStream().write(7);
            log.tell("first byte there", ends.far().getInputStream()::read);
            log.run("close", ends.near()::close);
            log.tell("end there", ends.far().getInputStream()::read);
        }
    }

    private static void writeToClosed(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            OutputStream out = ends.near().getOutputStream();
            ends.far().close();
            log.tell("end", ends.near().getInputStream()::read);
            log.run("first write", () -> out.write(1));
            log.run("second write", () -> {
                // The kernel's reset comes at once over loopback; a write that precedes it succeeds.
                for (int i = 0; i < 10_000; i++) {
                    out.write(2);
                }
            });
        }
    }

    private static void writeToReset(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            log.run("write until it fails", () -> {
                while (true) {
                    ends.near().getOutputStream().write(new byte[1_000]);
                }
            });
            log.run("write again", () -> ends.near().getOutputStream().write(1));
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void useAfterReset(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            log.tell("read", in::read);
            log.tell("connected", ends.near()::isConnected);
            log.run("time-out", () -> ends.near().setSoTimeout(5));
            log.tell("port", () -> ends.near().getPort() > 0);
            log.tell("available", in::available);
            log.run("write", () -> ends.near().getOutputStream().write(1));
            log.run("close", ends.near()::close);
        }
    }

    private static void halfCloseAfterReset(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.far().setSoLinger(true, 0);
            ends.far().close();
            log.tell("read", ends.near().getInputStream()::read);
            log.run("shutdown of output", ends.near()::shutdownOutput);
            log.run("shutdown of input", ends.near()::shutdownInput);
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void closeBoth(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.run("here", ends.near()::close);
            log.run("there", ends.far()::close);
            log.tell("closed", () -> ends.near().isClosed() && ends.far().isClosed());
            log.run("again", ends.near()::close);
        }
    }

    private static void closeOfStream(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().getOutputStream().close();
            log.add(ends.near().isClosed());
            log.add(ends.far().getInputStream().read());
            ends.far().getInputStream().close();
            log.add(ends.far().isClosed());
        }
    }

    private static void closeOfInput(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            OutputStream out = ends.near().getOutputStream();
            InputStream in = ends.near().getInputStream();
            in.close();
            log.run("write", () -> out.write(1));
            log.tell("read", in::read);
            log.run("flush", out::flush);
            log.run("close of the output", out::close);
        }
    }

    private static void useAfterClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            OutputStream out = ends.near().getOutputStream();
            ends.near().close();
            log.add(outcome(() -> in.read()));
            log.add(outcome(() -> out.write(1)));
            log.add(failure(ends.near()::getInputStream));
            log.add(failure(ends.near()::shutdownOutput));
            log.add(failure(ends.near()::shutdownInput));
            log.add(failure(() -> ends.near().bind(null)));
            log.add(failure(() -> ends.near().connect(kind.address(ends.server()))));
            log.add(failure(() -> ends.near().sendUrgentData(1)));
        }
    }

    private static void optionsAfterClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            Socket socket = ends.near();
            socket.close();
            log.add(failure(socket::getSoTimeout));
            log.add(failure(() -> socket.setSoTimeout(1)));
            log.add(failure(socket::getTcpNoDelay));
            log.add(failure(() -> socket.setTcpNoDelay(true)));
            log.add(failure(socket::getSoLinger));
            log.add(failure(() -> socket.setSoLinger(true, 1)));
            log.add(failure(socket::getKeepAlive));
            log.add(failure(socket::getSendBufferSize));
            log.add(failure(socket::getReuseAddress));
        }
    }

    private static void streamsAfterClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            OutputStream out = ends.near().getOutputStream();
            ends.near().close();
            log.add(outcome(in::available));
            log.add(outcome(() -> in.read(new byte[0])));
            log.add(outcome(() -> in.skip(1)));
            log.add(outcome(() -> in.readAllBytes()));
            log.add(outcome(() -> out.write(new byte[0])));
            log.add(outcome(out::flush));
            log.add(outcome(in::close));
            log.add(outcome(out::close));
        }
    }

    private static void addressesAfterClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            Socket socket = ends.near();
            int localPort = socket.getLocalPort();
            socket.close();
            log.tell("remote port", () -> socket.getPort() == ends.server().getLocalPort());
            log.tell("remote address", () -> socket.getInetAddress().equals(kind.serverAddress()));
            log.tell("local port", () -> socket.getLocalPort() == localPort);
            log.tell("local address", () -> socket.getLocalAddress().isAnyLocalAddress());
            log.tell("connected", socket::isConnected);
            log.tell("bound", socket::isBound);
        }
    }

    private static void endAgain(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.far().getOutputStream().write(4);
            ends.far().shutdownOutput();
            log.tell("read", in::read);
            log.tell("end", in::read);
            log.tell("end again", in::read);
            log.tell("end of nothing", () -> in.read(new byte[0]));
            log.tell("available", in::available);
            log.tell("skip", () -> in.skip(5));
        }
    }

    private static void writeAfterEnd(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.far().shutdownOutput();
            log.tell("end", ends.near().getInputStream()::read);
            log.run("write", () -> ends.near().getOutputStream().write(6));
            log.tell("read there", ends.far().getInputStream()::read);
            ends.near().shutdownOutput();
            log.tell("end there", ends.far().getInputStream()::read);
        }
    }

    private static void urgentData(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.run("in line", () -> ends.far().setOOBInline(true));
            log.run("send", () -> ends.near().sendUrgentData(1));
            log.run("write", () -> ends.near().getOutputStream().write(2));
            log.tell("first byte", () -> ends.far().getInputStream().read() > 0);
        }
    }
}
