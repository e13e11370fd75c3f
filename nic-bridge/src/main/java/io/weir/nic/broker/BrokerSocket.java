package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.host.PollWaiter;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The socket at which clients of a broker connect, and the thread that accepts them. */
final class BrokerSocket implements AutoCloseable {
    private static final long ACCEPT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ACCEPT_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Logger LOG = LoggerFactory.getLogger(BrokerSocket.class);
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;
    private static final int MODE_BITS = 07777;

    /** Who serves a client that has connected. */
    @FunctionalInterface
    interface Acceptor {
        /**
         * Takes a connection, which stays the caller's if this throws.
         *
         * @return how long to accept nobody from now on, or 0
         */
        long accept(UnixSocket socket) throws NicException;
    }

    private final BrokerConfig config;
    private final int descriptor;
    private final PollWaiter waiter;
    /** Accepts; null until {@link #start}. */
    private Thread thread;
    /** Whether no connection is accepted any more. Written by any thread, once. */
    private volatile boolean isStopped;

    private BrokerSocket(BrokerConfig config, int descriptor, PollWaiter waiter) {
        this.config = config;
        this.descriptor = descriptor;
        this.waiter = waiter;
    }

    /** {@return a socket that listens where the configuration says, or that which it was handed} */
    static BrokerSocket open(BrokerConfig config) throws IOException {
        int descriptor = isOwn(config) ? listen(config.socket()) : config.listeningDescriptor();
        BrokerSocket opened = null;
        try {
            Libc.setNonBlocking(descriptor);
            opened = new BrokerSocket(config, descriptor, new PollWaiter(descriptor));
            return opened;
        } finally {
            if (opened == null) {
                giveBack(config, descriptor);
            }
        }
    }

    private static boolean isOwn(BrokerConfig config) {
        return config.listeningDescriptor() == BrokerConfig.NO_DESCRIPTOR;
    }

    /** {@return a socket that listens at the path, in place of one that a broker left which is gone} */
    private static int listen(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        requireOurs(folder);
        if (Files.exists(path)) {
            requireLeft(path);
            Files.delete(path);
        }
        int descriptor = UnixSocket.listen(path.toString());
        // Every user may connect; the rights then decide, as they know the user.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        return descriptor;
    }

    /** In a folder where others may rename files, another one could take the path between binding and the rights. */
    private static void requireOurs(Path folder) throws IOException {
        int mode = (Integer) Files.getAttribute(folder, "unix:mode");
        int owner = (Integer) Files.getAttribute(folder, "unix:uid");
        int own = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        boolean isWritable = (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0;
        if (isWritable || (owner != own && owner != 0)) {
            throw new NicException("folder " + folder + " belongs to user " + owner + " and has mode "
                    + Integer.toOctalString(mode & MODE_BITS)
                    + ", so that others could put something else in place of the socket; chmod go-w, or give another path"
                    + " by --socket");
        }
    }

    private static void requireLeft(Path path) throws NicException {
        try (UnixSocket other = UnixSocket.connect(path.toString())) {
            throw new NicException("process " + other.peer().processId() + " listens at " + path
                    + " already; use that broker, end it (kill " + other.peer().processId()
                    + "), or give another path by --socket");
        } catch (NicException e) {
            if (!e.is(Errno.ECONNREFUSED)) {
                throw e;
            }
        }
    }

    /**
     * Starts the thread that accepts.
     *
     * @param everySecond what the thread does about once a second
     * @param onFault is told what neither is expected to throw
     */
    void start(Acceptor acceptor, Runnable everySecond, Consumer<Throwable> onFault) {
        Thread accepting = new Thread(() -> run(acceptor, everySecond, onFault), "weir-broker-accept");
        accepting.setDaemon(true);
        accepting.start();
        thread = accepting;
    }

    private void run(Acceptor acceptor, Runnable everySecond, Consumer<Throwable> onFault) {
        while (!isStopped) {
            try {
                waiter.await(ACCEPT_NANOS);
                everySecond.run();
                boolean isMore = true;
                while (isMore && !isStopped) {
                    isMore = acceptOne(acceptor);
                }
            } catch (RuntimeException | Error e) {
                onFault.accept(e);
                LOG.error(
                        "interface={} the thread that accepts clients failed, and goes on", config.interfaceName(), e);
                waiter.standBy(ACCEPT_REST_NANOS);
            }
        }
    }

    /** {@return whether there may be another one} */
    private boolean acceptOne(Acceptor acceptor) {
        UnixSocket socket = null;
        try {
            socket = UnixSocket.accept(descriptor);
            if (socket != null) {
                long restNanos = acceptor.accept(socket);
                if (restNanos > 0) {
                    waiter.standBy(restNanos);
                }
            }
            return socket != null;
        } catch (RuntimeException | Error e) {
            if (socket != null) {
                socket.close();
            }
            throw e;
        } catch (NicException e) {
            LOG.warn("interface={} a client could not be accepted", config.interfaceName(), e);
            if (socket != null) {
                socket.close();
            }
            // Where descriptors are short, the client that waits would be tried again and again.
            waiter.standBy(ACCEPT_REST_NANOS);
            return false;
        }
    }

    /** Accepts nobody from now on. Does not wait. */
    void stop() {
        isStopped = true;
        waiter.wake();
    }

    /** Waits for the thread that accepts, after {@link #stop}. */
    void join(OwnTimeLimit limit) throws InterruptedException {
        limit.join(thread);
    }

    /** Gives the socket and its path back, once no thread accepts. */
    @Override
    public void close() {
        waiter.close();
        giveBack(config, descriptor);
    }

    private static void giveBack(BrokerConfig config, int descriptor) {
        // One that was handed over may be listened at again.
        if (isOwn(config)) {
            Libc.close(descriptor);
            try {
                Files.deleteIfExists(config.socket());
            } catch (IOException e) {
                LOG.warn("socket={} stays behind; the next broker removes it", config.socket(), e);
            }
        }
    }
}
