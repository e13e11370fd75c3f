package io.weir.transport.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.zip.CRC32;
import org.junit.jupiter.params.provider.Arguments;

/** Plays conversations on the kernel's sockets and on ours: what they tell must be the same. */
final class SocketParity {
    /** More than both ends buffer. */
    static final int LARGE_BYTES = 8 << 20;

    private SocketParity() {}

    /** A conversation, of which all that can be observed is told. */
    @FunctionalInterface
    interface Case {
        void play(SocketKind kind, List<Object> log) throws Exception;
    }

    /** What may fail. */
    @FunctionalInterface
    interface Attempt {
        Object run() throws Exception;
    }

    static Arguments caseOf(String name, Case play) {
        return Arguments.of(name, play);
    }

    static void assertTellsTheSame(Case play, SocketKind kernels, SocketKind ours) throws Exception {
        List<Object> expected = new ArrayList<>();
        play.play(kernels, expected);
        List<Object> actual = new ArrayList<>();
        play.play(ours, actual);
        assertEquals(expected, actual);
        assertTrue(!expected.isEmpty(), "a case that tells nothing");
    }

    /** {@return what came of it: a value, or an exception's class} */
    static Object outcome(Attempt attempt) {
        try {
            return attempt.run();
        } catch (Exception e) {
            return e.getClass().getName();
        }
    }

    static Object failure(Attempt attempt) {
        try {
            return attempt.run();
        } catch (Exception e) {
            return e.getClass().getName() + ": " + e.getMessage();
        }
    }

    static <T> FutureTask<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "other");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    static Object nothing(RunnableWithException work) throws Exception {
        work.run();
        return "done";
    }

    /** What may fail, and gives nothing. */
    @FunctionalInterface
    interface RunnableWithException {
        void run() throws Exception;
    }

    static Object result(FutureTask<?> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            return e.getCause().getClass().getName();
        }
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
}
