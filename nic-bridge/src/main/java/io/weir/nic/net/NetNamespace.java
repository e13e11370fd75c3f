package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A network namespace by name, as {@code ip netns} makes them, or the process's own. What a task opens in it (sockets,
 * AF_XDP ports) stays in it and may be used by any thread afterwards.
 */
public final class NetNamespace {
    /** Where {@code ip netns} keeps the namespaces' files. */
    public static final Path FOLDER = Path.of("/run/netns");

    private static final NetNamespace OWN = new NetNamespace(null);

    private final String name;

    private NetNamespace(String name) {
        this.name = name;
    }

    /** {@return the process's own namespace} */
    public static NetNamespace own() {
        return OWN;
    }

    /** {@return the namespace called {@code name}; the process's own for null} */
    public static NetNamespace of(String name) {
        return name == null ? OWN : new NetNamespace(name);
    }

    /** {@return the names of all namespaces that {@code ip netns} knows} */
    public static List<String> names() throws NicException {
        if (!Files.isDirectory(FOLDER)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        } catch (IOException e) {
            throw new NicException("list the network namespaces in " + FOLDER + ": " + e.getMessage(), e);
        }
    }

    /** {@return the name, or null for the process's own} */
    public String name() {
        return name;
    }

    /**
     * Something to do in a namespace.
     *
     * @param <T> what it gives
     * @param <E> how it fails
     */
    @FunctionalInterface
    public interface Task<T, E extends Exception> {
        /** {@return what was asked for} */
        T run() throws E;
    }

    /**
     * Runs a task in the namespace and waits for it: on the calling thread for the process's own, else on a fresh
     * thread, so that no thread of the caller's ever changes namespace.
     *
     * @param <T> what the task gives
     * @param <E> how the task fails
     */
    public <T, E extends Exception> T call(Task<T, E> task) throws NicException, E {
        if (name == null) {
            return task.run();
        }
        Visit<T, E> visit = new Visit<>(task);
        Thread thread = new Thread(visit, "weir-netns-" + name);
        thread.setDaemon(true);
        thread.start();
        joinUninterruptibly(thread);
        return visit.result();
    }

    private void enter() throws NicException {
        Path file = FOLDER.resolve(name);
        if (!Files.exists(file)) {
            throw new NicException("network namespace " + name + " not found; namespaces here: " + names());
        }
        int fd = Libc.open(file.toString(), Libc.O_RDONLY_CLOEXEC);
        int result = fd < 0 ? fd : Libc.setNetworkNamespace(fd);
        if (fd >= 0) {
            Libc.close(fd);
        }
        if (result < 0) {
            String remedy = result == -Errno.EPERM.number() || result == -Errno.EACCES.number()
                    ? "needs CAP_SYS_ADMIN: run as root, or start the process inside it (ip netns exec)"
                    : "was it deleted just now?";
            throw new NicException(-result, "enter network namespace " + name, remedy);
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name == null ? "(own namespace)" : name;
    }

    /** One task on its way through the namespace. */
    private final class Visit<T, E extends Exception> implements Runnable {
        private final Task<T, E> task;
        private T value;
        private Throwable failure;

        Visit(Task<T, E> task) {
            this.task = task;
        }

        @Override
        @SuppressWarnings("CatchAllThrowable")
        public void run() {
            try {
                enter();
                value = task.run();
            } catch (Throwable e) {
                failure = e;
            }
        }

        @SuppressWarnings("unchecked")
        T result() throws NicException, E {
            if (failure instanceof NicException refusal) {
                throw refusal;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null) {
                // The task can throw nothing else but E and unchecked exceptions.
                throw (E) failure;
            }
            return value;
        }
    }
}
