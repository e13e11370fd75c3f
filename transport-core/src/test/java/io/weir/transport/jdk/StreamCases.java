package io.weir.transport.jdk;

import static io.weir.transport.jdk.Threads.inBackground;

import io.weir.transport.jdk.SocketKind.Ends;
import io.weir.transport.testing.CallLog;
import io.weir.transport.testing.ParityCase;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32;

/** Sequences that move bytes, also into streams of the application that fail. */
final class StreamCases {
    /** More than both ends buffer. */
    static final int LARGE_BYTES = 8 << 20;

    private StreamCases() {}

    static List<ParityCase<SocketKind>> all() {
        return List.of(
                ParityCase.of("large transfer both ways", StreamCases::largeTransfer),
                ParityCase.of("tiny transfers", StreamCases::tinyTransfers),
                ParityCase.of("bad ranges", StreamCases::badRanges),
                ParityCase.of("available", StreamCases::available),
                ParityCase.of("bytes that wait", StreamCases::bytesThatWait),
                ParityCase.of("skip, mark, reset", StreamCases::skipAndMark),
                ParityCase.of("reads that are longer than what is there", StreamCases::longReads),
                ParityCase.of("lines and numbers", StreamCases::linesAndNumbers),
                ParityCase.of("an out-of-memory error in the stream that is copied to", StreamCases::outOfMemory),
                ParityCase.of("an exception in the stream that is copied to", StreamCases::failingTarget),
                ParityCase.of("an array that is too large, then use", StreamCases::arrayTooLarge),
                ParityCase.of("streams that are asked for twice", StreamCases::streamsTwice),
                ParityCase.of("write of nothing", StreamCases::writeNothing));
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    static long checksum(InputStream in) throws IOException {
        CRC32 sum = new CRC32();
        byte[] buffer = new byte[10_000];
        long total = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            sum.update(buffer, 0, count);
            total += count;
        }
        return sum.getValue() * 31 + total;
    }

    private static void largeTransfer(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<String> there = inBackground(() -> send(ends.near()));
            FutureTask<String> back = inBackground(() -> send(ends.far()));
            FutureTask<Long> received = inBackground(() -> checksum(ends.near().getInputStream()));
            log.tell("there", () -> checksum(ends.far().getInputStream()));
            log.await("back", received);
            log.await("sent there", there);
            log.await("sent back", back);
        }
    }

    private static String send(Socket socket) throws IOException {
        socket.getOutputStream().write(bytes(LARGE_BYTES));
        socket.shutdownOutput();
        return "sent";
    }

    private static void tinyTransfers(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            FutureTask<Object> echo = inBackground(() -> {
                InputStream in = ends.far().getInputStream();
                OutputStream out = ends.far().getOutputStream();
                for (int octet = in.read(); octet >= 0; octet = in.read()) {
                    out.write(octet);
                }
                return "end";
            });
            int wrong = 0;
            for (int i = 0; i < 1_000; i++) {
                ends.near().getOutputStream().write(i);
                wrong += ends.near().getInputStream().read() == (i & 0xFF) ? 0 : 1;
            }
            ends.near().shutdownOutput();
            log.add(wrong);
            log.await("echo", echo);
            log.add(ends.near().isOutputShutdown());
        }
    }

    private static void badRanges(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            OutputStream out = ends.near().getOutputStream();
            byte[] four = new byte[4];
            log.tell("read beyond", () -> in.read(four, 2, 3));
            log.tell("read before", () -> in.read(four, -1, 1));
            log.tell("read to null", () -> in.read(null, 0, 1));
            log.tell("read nothing", () -> in.read(four, 0, 0));
            log.run("write beyond", () -> out.write(four, 2, 3));
            log.run("write less than nothing", () -> out.write(four, 0, -1));
            log.run("write null", () -> out.write(null, 0, 1));
            log.run("write nothing", () -> out.write(four, 4, 0));
        }
    }

    private static void awaitAvailable(InputStream in, int count) throws IOException {
        while (in.available() < count) {
            Thread.onSpinWait();
        }
    }

    private static void available(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            log.add(in.available());
            ends.far().getOutputStream().write(new byte[100]);
            log.add(in.read());
            awaitAvailable(in, 99);
            log.add(in.read(new byte[50]));
            log.add(in.available());
            log.add(in.read(new byte[100]));
            ends.far().close();
            log.add(in.read());
            log.add(in.available());
        }
    }

    private static void bytesThatWait(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.far().getOutputStream().write(bytes(1_000));
            ends.far().close();
            InputStream in = ends.near().getInputStream();
            awaitAvailable(in, 1_000);
            log.tell("available", in::available);
            log.tell("some", () -> in.readNBytes(400).length);
            log.tell("the rest", () -> in.readAllBytes().length);
            log.tell("end", in::read);
        }
    }

    private static void skipAndMark(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            ends.far().getOutputStream().write(new byte[] {1, 2, 3, 4, 5});
            awaitAvailable(in, 5);
            log.tell("skip", () -> in.skip(2));
            log.tell("read", in::read);
            log.tell("mark", in::markSupported);
            log.run("reset", in::reset);
            log.tell("skip less than nothing", () -> in.skip(-1));
            log.tell("read again", in::read);
        }
    }

    private static void longReads(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            InputStream in = ends.near().getInputStream();
            byte[] room = new byte[1 << 20];
            ends.far().getOutputStream().write(new byte[10]);
            awaitAvailable(in, 10);
            log.tell("read", () -> in.read(room));
            ends.far().getOutputStream().write(new byte[20]);
            awaitAvailable(in, 20);
            log.tell("read again", () -> in.read(room, 100, room.length - 100));
            log.tell("available", in::available);
        }
    }

    private static void linesAndNumbers(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            DataOutputStream out = new DataOutputStream(ends.near().getOutputStream());
            out.writeInt(123_456);
            out.writeUTF("Grüße");
            out.write("line\r\nlast".getBytes(StandardCharsets.UTF_8));
            ends.near().shutdownOutput();
            DataInputStream in = new DataInputStream(ends.far().getInputStream());
            log.tell("number", in::readInt);
            log.tell("text", in::readUTF);
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            log.tell("line", lines::readLine);
            log.tell("last line", lines::readLine);
            log.tell("end", lines::readLine);
        }
    }

    /** A stream of the application that fails at the first byte. */
    private static OutputStream failing(Throwable problem) {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                if (problem instanceof Error error) {
                    throw error;
                }
                throw (IOException) problem;
            }
        };
    }

    private static void outOfMemory(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            OutputStream target = failing(new OutOfMemoryError("of the test"));
            ends.near().getOutputStream().write(new byte[100]);
            log.await("copy", inBackground(() -> ends.far().getInputStream().transferTo(target)));
            ends.near().getOutputStream().write(7);
            log.tell("read", ends.far().getInputStream()::read);
            ends.far().getOutputStream().write(8);
            log.tell("read here", ends.near().getInputStream()::read);
            log.tell("closed", ends.far()::isClosed);
        }
    }

    private static void failingTarget(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().getOutputStream().write(new byte[100]);
            log.tell("copy", () -> ends.far().getInputStream().transferTo(failing(new IOException("of the test"))));
            ends.near().getOutputStream().write(7);
            ends.near().shutdownOutput();
            log.tell("read", ends.far().getInputStream()::read);
            log.tell("copy the rest", () -> ends.far().getInputStream().transferTo(new ByteArrayOutputStream()));
        }
    }

    private static void arrayTooLarge(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.await("write", inBackground(() -> {
                ends.near().getOutputStream().write(new byte[Integer.MAX_VALUE]);
                return "sent";
            }));
            ends.near().getOutputStream().write(7);
            log.tell("read", ends.far().getInputStream()::read);
            log.tell("closed", ends.near()::isClosed);
        }
    }

    private static void streamsTwice(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            ends.near().getOutputStream().write(1);
            ends.near().getOutputStream().write(2);
            log.tell("first", ends.far().getInputStream()::read);
            log.tell("second", ends.far().getInputStream()::read);
            ends.far().getInputStream().close();
            log.run("another one", ends.far()::getInputStream);
            log.tell("closed", ends.far()::isClosed);
        }
    }

    private static void writeNothing(SocketKind kind, CallLog log) throws Exception {
        try (Ends ends = kind.connect()) {
            log.run("write nothing", () -> ends.near().getOutputStream().write(new byte[0]));
            log.run("flush", () -> ends.near().getOutputStream().flush());
            ends.near().getOutputStream().write(new byte[] {5});
            log.tell("read", () -> Arrays.toString(ends.far().getInputStream().readNBytes(1)));
            log.tell("available", () -> ends.far().getInputStream().available());
        }
    }
}
