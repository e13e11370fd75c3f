package io.weir.transport.jdk;

import static io.weir.transport.jdk.StreamCases.LARGE_BYTES;
import static io.weir.transport.jdk.StreamCases.bytes;
import static io.weir.transport.jdk.StreamCases.checksum;
import static io.weir.transport.jdk.Threads.inBackground;
import static io.weir.transport.testing.CallLog.failure;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.jdk.Threads.Other;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Sequences with calls that wait, and what ends them: time-outs, interrupts, the other end, another thread. */
final class WaitCases {
    private static final int TIMEOUT_MILLIS = 20;

    private WaitCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of("read time-out", WaitCases::readTimeout),
                ParityCase.of("read time-outs in a row", WaitCases::readTimeouts),
                ParityCase.of("accept time-out", WaitCases::acceptTimeout),
                ParityCase.of("time-out, then half-close", WaitCases::timeoutThenEnd),
                ParityCase.of("time-out, then close by another thread", WaitCases::timeoutThenClose),
                ParityCase.of("time-out that is set while a read waits", WaitCases::timeoutWhileReading),
                ParityCase.of("shutdown of input while reading", WaitCases::shutdownInputWhileReading),
                ParityCase.of("interrupt while reading", WaitCases::interruptWhileReading),
                ParityCase.of("interrupt while accepting", WaitCases::interruptWhileAccepting),
                ParityCase.of("interrupt while writing", WaitCases::interruptWhileWriting),
                ParityCase.of("calls of an interrupted thread", WaitCases::interruptedBefore),
                ParityCase.of("time-out of an interrupted thread", WaitCases::interruptedTimeout),
                ParityCase.of("close while reading", WaitCases::closeWhileReading),
                ParityCase.of("close while two threads read", WaitCases::closeWhileTwoRead),
                ParityCase.of("close while writing", WaitCases::closeWhileWriting),
                ParityCase.of("close while accepting", WaitCases::closeWhileAccepting),
                ParityCase.of("close while two threads accept", WaitCases::closeWhileTwoAccept),
                ParityCase.of("end of the stream while reading", WaitCases::endWhileReading),
                ParityCase.of("reset while reading", WaitCases::resetWhileReading),
                ParityCase.of("reset while writing", WaitCases::resetWhileWriting),
                ParityCase.of("shutdown of output while writing", WaitCases::shutdownWhileWriting),
                ParityCase.of("two threads accept", WaitCases::twoAccept),
                ParityCase.ofVirtualThreads("virtual: interrupt while reading", WaitCases::virtualRead),
                ParityCase.ofVirtualThreads("virtual: interrupt while accepting", WaitCases::virtualAccept),
                ParityCase.ofVirtualThreads("virtual: interrupt while writing", WaitCases::virtualWrite),
                ParityCase.ofVirtualThreads(
                        "virtual: interrupted before it reads", WaitCases::virtualInterruptedBefore),
                ParityCase.ofVirtualThreads("virtual: interrupted before it connects", WaitCases::virtualConnect),
                ParityCase.ofVirtualThreads("virtual: read time-out, then bytes", WaitCases::virtualTimeout),
                ParityCase.ofVirtualThreads("virtual: accept time-out, then a client", WaitCases::virtualAcceptTimeout),
                ParityCase.ofVirtualThreads("virtual: close while reading", WaitCases::virtualClose),
                ParityCase.ofVirtualThreads("virtual: an echo of many", WaitCases::virtualEcho));
    }

    // ---- time-outs

    private static void readTimeout(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().setSoTimeout(TIMEOUT_MILLIS);
            InputStream in = ends.near().getInputStream();
            long startNanos = System.nanoTime();
            log.add(failure(() -> in.read()));
            log.add(System.nanoTime() - startNanos >= TIMEOUT_MILLIS * 1_000_000L);
            ends.far().getOutputStream().write(7);
            ends.near().setSoTimeout(0);
            log.add(in.read());
        }
    }

    private static void readTimeouts(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.near().setSoTimeout(1);
            for (int i = 0; i < 5; i++) {
                log.tell("read " + i, in::read);
            }
            log.tell("skip", () -> in.skip(1));
            ends.near().setSoTimeout(0);
            ends.far().getOutputStream().write(3);
            log.tell("read at last", in::read);
            log.run("write", () -> ends.near().getOutputStream().write(4));
            log.tell("read there", ends.far().getInputStream()::read);
        }
    }

    private static void acceptTimeout(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            server.setSoTimeout(TIMEOUT_MILLIS);
            long startNanos = System.nanoTime();
            log.add(failure(server::accept));
            log.add(System.nanoTime() - startNanos >= TIMEOUT_MILLIS * 1_000_000L);
            log.add(server.getSoTimeout());
            server.setSoTimeout(0);
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort());
                    Socket far = server.accept()) {
                log.add(far.getSoTimeout());
                log.add(near.isConnected());
            }
        }
    }

    private static void timeoutThenEnd(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.near().setSoTimeout(1);
            log.tell("read", in::read);
            ends.near().setSoTimeout(0);
            ends.far().shutdownOutput();
            log.tell("end", in::read);
            ends.near().setSoTimeout(1);
            log.tell("end again", in::read);
        }
    }

    private static void timeoutThenClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.near().setSoTimeout(1);
            log.tell("read", in::read);
            log.await("close", inBackground(() -> {
                ends.near().close();
                return "closed";
            }));
            log.tell("read after close", in::read);
        }
    }

    private static void timeoutWhileReading(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = inBackground(() -> {
                InputStream in = ends.near().getInputStream();
                begun.countDown();
                return in.read();
            });
            begun.await();
            log.run("set", () -> ends.near().setSoTimeout(5 * 60 * 1_000));
            log.tell("ask", ends.near()::getSoTimeout);
            ends.far().getOutputStream().write(9);
            log.await("read", reader);
        }
    }

    // ---- interrupts

    private static void shutdownInputWhileReading(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = inBackground(() -> {
                InputStream in = ends.near().getInputStream();
                begun.countDown();
                return in.read();
            });
            begun.await();
            log.run("shutdown", ends.near()::shutdownInput);
            log.await("read", reader);
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void interruptWhileReading(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            Other<Object> reader = Threads.start(() -> {
                begun.countDown();
                int read = ends.near().getInputStream().read();
                return List.of(read, Thread.currentThread().isInterrupted());
            });
            begun.await();
            reader.thread().interrupt();
            ends.far().getOutputStream().write(42);
            log.await("read", reader.work());
            log.tell("closed", ends.near()::isClosed);
            ends.near().getOutputStream().write(43);
            log.tell("read there", ends.far().getInputStream()::read);
        }
    }

    private static void interruptWhileAccepting(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            CountDownLatch begun = new CountDownLatch(1);
            Other<Object> acceptor = Threads.start(() -> {
                begun.countDown();
                try (Socket far = server.accept()) {
                    return List.of(far.isConnected(), Thread.currentThread().isInterrupted());
                }
            });
            begun.await();
            acceptor.thread().interrupt();
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
                log.tell("connected", near::isConnected);
                log.await("accept", acceptor.work());
                log.tell("closed", server::isClosed);
            }
        }
    }

    private static void interruptWhileWriting(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            Other<Object> writer = Threads.start(() -> {
                begun.countDown();
                ends.near().getOutputStream().write(bytes(LARGE_BYTES));
                ends.near().shutdownOutput();
                return Thread.currentThread().isInterrupted();
            });
            begun.await();
            writer.thread().interrupt();
            log.tell("bytes", () -> checksum(ends.far().getInputStream()));
            log.await("interrupted", writer.work());
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void interruptedBefore(SocketKind kind, CallLog log) throws Exception {
        log.await("calls", inBackground(() -> {
            Thread.currentThread().interrupt();
            try (ServerSocket server = kind.listen();
                    Socket near = kind.sockets().createSocket()) {
                near.connect(new InetSocketAddress(kind.serverAddress(), server.getLocalPort()));
                Socket far = server.accept();
                near.getOutputStream().write(5);
                int read = far.getInputStream().read();
                far.close();
                return List.of(read, Thread.currentThread().isInterrupted());
            }
        }));
        log.tell("interrupted", () -> Thread.currentThread().isInterrupted());
        log.tell("listen", () -> {
            try (ServerSocket server = kind.listen()) {
                return server.isBound();
            }
        });
    }

    private static void interruptedTimeout(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().setSoTimeout(TIMEOUT_MILLIS);
            log.await("read", inBackground(() -> {
                Thread.currentThread().interrupt();
                Object outcome = failure(() -> ends.near().getInputStream().read());
                return List.of(outcome, Thread.currentThread().isInterrupted());
            }));
            log.tell("closed", ends.near()::isClosed);
            ends.far().getOutputStream().write(1);
            ends.near().setSoTimeout(0);
            log.tell("read again", ends.near().getInputStream()::read);
        }
    }

    // ---- another thread, the other end

    private static void closeWhileReading(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> reader = inBackground(() -> {
                begun.countDown();
                return in.read();
            });
            begun.await();
            log.run("close", ends.near()::close);
            log.await("read", reader);
            log.tell("end there", ends.far().getInputStream()::read);
        }
    }

    private static void closeWhileTwoRead(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            CountDownLatch begun = new CountDownLatch(2);
            FutureTask<Object> first = inBackground(() -> {
                begun.countDown();
                return in.read();
            });
            FutureTask<Object> second = inBackground(() -> {
                begun.countDown();
                return in.read();
            });
            begun.await();
            log.run("close", ends.near()::close);
            log.await("first", first);
            log.await("second", second);
        }
    }

    private static void closeWhileWriting(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            OutputStream out = ends.near().getOutputStream();
            CountDownLatch begun = new CountDownLatch(1);
            FutureTask<Object> writer = inBackground(() -> {
                begun.countDown();
                while (true) {
                    out.write(new byte[64 * 1024]);
                }
            });
            begun.await();
            log.run("close", ends.near()::close);
            log.await("write", writer);
            log.run("write again", () -> out.write(1));
        }
    }

    private static void closeWhileAccepting(SocketKind kind, CallLog log) throws Exception {
        ServerSocket server = kind.listen();
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Object> acceptor = inBackground(() -> {
            begun.countDown();
            return server.accept();
        });
        begun.await();
        log.run("close", server::close);
        log.await("accept", acceptor);
        log.tell("closed", server::isClosed);
    }

    private static void closeWhileTwoAccept(SocketKind kind, CallLog log) throws Exception {
        ServerSocket server = kind.listen();
        int port = server.getLocalPort();
        FutureTask<Object> first = inBackground(server::accept);
        FutureTask<Object> second = inBackground(server::accept);
        log.run("close", server::close);
        log.await("first", first);
        log.await("second", second);
        log.tell("listen again", () -> kind.listen(port).isBound());
        kind.closeListener(port);
    }

    private static void endWhileReading(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> reader =
                    inBackground(() -> ends.near().getInputStream().read());
            log.run("shutdown", ends.far()::shutdownOutput);
            log.await("read", reader);
            log.tell("read again", ends.near().getInputStream()::read);
        }
    }

    private static void resetWhileReading(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> reader =
                    inBackground(() -> ends.near().getInputStream().read());
            ends.far().setSoLinger(true, 0);
            log.run("reset", ends.far()::close);
            log.await("read", reader);
            log.tell("read again", ends.near().getInputStream()::read);
        }
    }

    private static void resetWhileWriting(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> writer = inBackground(() -> {
                while (true) {
                    ends.near().getOutputStream().write(new byte[64 * 1024]);
                }
            });
            log.tell("first byte", ends.far().getInputStream()::read);
            ends.far().setSoLinger(true, 0);
            log.run("reset", ends.far()::close);
            log.await("write", writer);
        }
    }

    private static void shutdownWhileWriting(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> writer = inBackground(() -> {
                while (true) {
                    ends.near().getOutputStream().write(new byte[64 * 1024]);
                }
            });
            log.tell("first byte", ends.far().getInputStream()::read);
            log.run("shutdown", ends.near()::shutdownOutput);
            log.await("write", writer);
            log.tell("end", () -> ends.far().getInputStream().readAllBytes().length > 0);
        }
    }

    private static void twoAccept(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            FutureTask<Socket> first = inBackground(server::accept);
            FutureTask<Socket> second = inBackground(server::accept);
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort());
                    Socket next = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
                log.tell("first", () -> first.get().isConnected());
                log.tell("second", () -> second.get().isConnected());
                log.tell(
                        "different", () -> first.get().getPort() != second.get().getPort());
                log.tell("connected", () -> near.isConnected() && next.isConnected());
            }
            first.get().close();
            second.get().close();
        }
    }

    // ---- virtual threads

    private static void virtualRead(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            Other<Object> reader = Threads.startVirtual(() -> {
                begun.countDown();
                return failure(() -> ends.near().getInputStream().read())
                        + " "
                        + Thread.currentThread().isInterrupted();
            });
            begun.await();
            reader.thread().interrupt();
            log.await("read", reader.work());
            log.tell("closed", ends.near()::isClosed);
            log.tell("end there", ends.far().getInputStream()::read);
        }
    }

    private static void virtualAccept(SocketKind kind, CallLog log) throws Exception {
        ServerSocket server = kind.listen();
        int port = server.getLocalPort();
        Other<Object> acceptor = Threads.startVirtual(() -> failure(server::accept));
        acceptor.thread().interrupt();
        log.await("accept", acceptor.work());
        log.tell("closed", server::isClosed);
        log.tell("listen again", () -> kind.listen(port).isBound());
        kind.closeListener(port);
    }

    private static void virtualWrite(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            Other<Object> writer = Threads.startVirtual(() -> {
                OutputStream out = ends.near().getOutputStream();
                begun.countDown();
                while (true) {
                    out.write(new byte[64 * 1024]);
                }
            });
            begun.await();
            writer.thread().interrupt();
            log.await("write", writer.work());
            log.tell("closed", ends.near()::isClosed);
            log.run("write again", () -> ends.near().getOutputStream().write(1));
        }
    }

    private static void virtualInterruptedBefore(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            Other<Object> reader = Threads.startVirtual(() -> {
                Thread.currentThread().interrupt();
                Object outcome = failure(() -> ends.near().getInputStream().read());
                return List.of(outcome, Thread.currentThread().isInterrupted());
            });
            log.await("read", reader.work());
            log.tell("closed", ends.near()::isClosed);
            log.tell("end there", ends.far().getInputStream()::read);
        }
    }

    private static void virtualConnect(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen();
                Socket near = kind.sockets().createSocket()) {
            Other<Object> connector = Threads.startVirtual(() -> {
                Thread.currentThread().interrupt();
                Object outcome = CallLog.outcome(() -> near.connect(kind.address(server)));
                return List.of(outcome, Thread.currentThread().isInterrupted());
            });
            log.await("connect", connector.work());
            log.tell("closed", near::isClosed);
            log.tell("connected", near::isConnected);
        }
    }

    private static void virtualTimeout(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().setSoTimeout(TIMEOUT_MILLIS);
            InputStream in = ends.near().getInputStream();
            log.await(
                    "read", Threads.startVirtual(() -> failure(() -> in.read())).work());
            log.tell("closed", ends.near()::isClosed);
            ends.near().setSoTimeout(0);
            ends.far().getOutputStream().write(2);
            log.await(
                    "read again",
                    Threads.startVirtual(() -> failure(() -> in.read())).work());
        }
    }

    private static void virtualAcceptTimeout(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            server.setSoTimeout(TIMEOUT_MILLIS);
            log.await(
                    "accept",
                    Threads.startVirtual(() -> failure(server::accept)).work());
            log.tell("closed", server::isClosed);
            server.setSoTimeout(0);
            try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
                log.await(
                        "accept again",
                        Threads.startVirtual(() -> server.accept().getPort() == near.getLocalPort())
                                .work());
            }
        }
    }

    private static void virtualClose(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            CountDownLatch begun = new CountDownLatch(1);
            Other<Object> reader = Threads.startVirtual(() -> {
                begun.countDown();
                return in.read();
            });
            begun.await();
            log.run("close", ends.near()::close);
            log.await("read", reader.work());
            log.tell("end there", ends.far().getInputStream()::read);
        }
    }

    private static void virtualEcho(SocketKind kind, CallLog log) throws Exception {
        try (ServerSocket server = kind.listen()) {
            for (int i = 0; i < 10; i++) {
                Other<Long> echo = Threads.startVirtual(() -> {
                    try (Socket far = server.accept()) {
                        return far.getInputStream().transferTo(far.getOutputStream());
                    }
                });
                Other<Long> ask = Threads.startVirtual(() -> {
                    try (Socket near = kind.sockets().createSocket(kind.serverAddress(), server.getLocalPort())) {
                        near.getOutputStream().write(bytes(10_000));
                        near.shutdownOutput();
                        return checksum(near.getInputStream());
                    }
                });
                log.await("answer " + i, ask.work());
                log.await("echo " + i, echo.work());
            }
        }
    }
}
