package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A connected Unix socket that carries messages, and descriptors with them, which Java's own Unix sockets do not. Any
 * thread may send and shut down; one thread receives, and closes.
 */
public final class UnixSocket implements AutoCloseable {
    /** The longest message. */
    public static final int MESSAGE_BYTES_MAX = 4096;

    /** The most descriptors that come with a message. */
    private static final int DESCRIPTORS_MAX = 2;

    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDTIMEO = 21;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int POLLFD_BYTES = 8;
    private static final int PATH_AT = 2;
    private static final int PATH_BYTES_MAX = 107;
    private static final int SO_PEERCRED = 17;
    private static final int SCM_RIGHTS = 1;
    private static final int BACKLOG = 64;
    // struct msghdr, on every 64-bit system.
    private static final int MESSAGE_BYTES = 56;
    private static final int MESSAGE_VECTORS = 16;
    private static final int MESSAGE_VECTOR_COUNT = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_LENGTH = 40;
    private static final int MESSAGE_FLAGS = 48;
    private static final int TRUNCATED = 0x20;
    // struct cmsghdr.
    private static final int CONTROL_LEVEL = 8;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_DATA = 16;
    private static final int CONTROL_BYTES = CONTROL_DATA + DESCRIPTORS_MAX * Integer.BYTES;

    private final int fd;
    private final Outgoing outgoing = new Outgoing();
    /** Who may send. */
    private final ReentrantLock sending = new ReentrantLock();

    private final Incoming incoming;
    private final Object closing = new Object();
    /** Written with both locks, {@link #sending} and {@link #closing}. */
    private boolean isClosed;

    /** Who is on the other side, as the kernel tells. */
    public record Peer(int processId, int user) {}

    private UnixSocket(int fd, boolean takesDescriptors) {
        this.fd = fd;
        this.incoming = new Incoming(takesDescriptors);
    }

    /** {@return the descriptor of a listening socket at this path, where nothing is} */
    public static int listen(String path) throws NicException {
        int fd = open();
        int result = Libc.bind(fd, address(path));
        if (result >= 0) {
            result = Libc.listen(fd, BACKLOG);
        }
        if (result < 0) {
            Libc.close(fd);
            throw new NicException(
                    -result,
                    "listen at " + path,
                    result == -Errno.EADDRINUSE.number()
                            ? "something is there already; remove it, or give another path"
                            : "make its folder (mkdir -p), or give another path");
        }
        return fd;
    }

    private static int open() throws NicException {
        int fd = Libc.socket(Libc.AF_UNIX, Libc.SOCK_SEQPACKET, 0);
        if (fd < 0) {
            throw new NicException(-fd, "open a Unix socket", "raise the limit of open files (ulimit -n)");
        }
        return fd;
    }

    private static UnsafeBuffer address(String path) throws NicException {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > PATH_BYTES_MAX) {
            throw new NicException("the path " + path + " has " + bytes.length + " bytes, and a Unix socket's at most "
                    + PATH_BYTES_MAX + "; give a shorter one");
        }
        UnsafeBuffer address = NativeMemory.allocate(PATH_AT + bytes.length + 1);
        address.putShort(0, (short) Libc.AF_UNIX);
        address.putBytes(PATH_AT, bytes);
        return address;
    }

    /** {@return the next connection to a listening socket; null when none waits any more} It gets no descriptors. */
    public static UnixSocket accept(int listening) throws NicException {
        int fd = Libc.accept(listening);
        if (fd == -Errno.EMFILE.number() || fd == -Errno.ENFILE.number()) {
            throw new NicException(-fd, "accept a connection", "raise the limit of open files (ulimit -n)");
        }
        return fd < 0 ? null : new UnixSocket(fd, false);
    }

    /** {@return a connection to who listens at this path, which may send descriptors} */
    public static UnixSocket connect(String path) throws NicException {
        int fd = open();
        boolean isConnected = false;
        try {
            int result = Libc.connect(fd, address(path));
            if (result < 0) {
                throw new NicException(-result, "connect to " + path, "is anybody listening there?");
            }
            isConnected = true;
        } finally {
            if (!isConnected) {
                Libc.close(fd);
            }
        }
        return new UnixSocket(fd, true);
    }

    /** {@return the process on the other side, as it was when it connected} */
    public Peer peer() throws NicException {
        UnsafeBuffer credentials = NativeMemory.allocate(3 * Integer.BYTES);
        int result = Libc.getsockopt(fd, Libc.SOL_SOCKET, SO_PEERCRED, credentials);
        if (result < 0) {
            throw new NicException(-result, "ask who has connected", "needs Linux");
        }
        return new Peer(credentials.getInt(0), credentials.getInt(Integer.BYTES));
    }

    /**
     * {@return whether a message was sent, with descriptors} It was not where there was no room, nobody to read it, or
     * another thread that waits for room. Never waits.
     */
    public boolean offer(UnsafeBuffer message, int lengthBytes, int... descriptors) {
        if (!sending.tryLock()) {
            return false;
        }
        try {
            return outgoing.send(fd, message, lengthBytes, Libc.MSG_DONTWAIT, descriptors) >= 0;
        } finally {
            sending.unlock();
        }
    }

    /** Limits how long {@link #send} and {@link #trySend} wait for room. */
    public void setSendTimeout(long nanos) {
        setTimeout(SO_SNDTIMEO, nanos);
    }

    /** Limits how long {@link #receive} waits: it gives 0 then; 0 for without a limit. */
    public void setReceiveTimeout(long nanos) {
        setTimeout(SO_RCVTIMEO, nanos);
    }

    private void setTimeout(int option, long nanos) {
        UnsafeBuffer time = NativeMemory.allocate(2 * Long.BYTES);
        time.putLong(0, nanos / NANOS_PER_SECOND);
        time.putLong(Long.BYTES, nanos % NANOS_PER_SECOND / 1_000);
        Libc.setsockopt(fd, Libc.SOL_SOCKET, option, time);
    }

    /**
     * Waits until the connection is ended by either side, or for so long.
     *
     * @return whether it is ended; messages may still wait
     */
    public boolean awaitEnd(long nanos) {
        UnsafeBuffer polled = NativeMemory.allocate(POLLFD_BYTES);
        polled.putInt(0, fd);
        UnsafeBuffer time = NativeMemory.allocate(2 * Long.BYTES);
        time.putLong(0, nanos / NANOS_PER_SECOND);
        time.putLong(Long.BYTES, nanos % NANOS_PER_SECOND);
        try {
            // The end alone ends it: no event is asked for.
            return Libc.ppoll(NativeMemory.address(polled), 1, NativeMemory.address(time)) > 0;
        } finally {
            Reference.reachabilityFence(polled);
            Reference.reachabilityFence(time);
        }
    }

    /** {@return whether a message was sent, with descriptors, after waiting for room if need be} */
    public boolean trySend(UnsafeBuffer message, int lengthBytes, int... descriptors) {
        return send(message, lengthBytes, 0, descriptors) >= 0;
    }

    /** Sends a message; waits for room. */
    public void send(UnsafeBuffer message, int lengthBytes) throws NicException {
        int result = send(message, lengthBytes, 0);
        if (result < 0) {
            throw new NicException(-result, "send to the process on the other side", "it has probably ended");
        }
    }

    private int send(UnsafeBuffer message, int lengthBytes, int flags, int... descriptors) {
        sending.lock();
        try {
            return outgoing.send(fd, message, lengthBytes, flags, descriptors);
        } finally {
            sending.unlock();
        }
    }

    /**
     * Waits for a message.
     *
     * @return its length; 0 at the end, and for a message that is empty or too long
     */
    public int receive(UnsafeBuffer message) {
        return incoming.receive(fd, message);
    }

    /** {@return the descriptors that came with the latest message, which the caller closes} */
    public int[] takeDescriptors() {
        return incoming.takeDescriptors();
    }

    /** Ends the connection: who receives at either side is told. */
    public void shutdown() {
        synchronized (closing) {
            if (!isClosed) {
                Libc.shutdown(fd);
            }
        }
    }

    @Override
    public void close() {
        // Ends a send that waits for room, and has the lock meanwhile.
        shutdown();
        sending.lock();
        try {
            synchronized (closing) {
                if (!isClosed) {
                    isClosed = true;
                    Libc.close(fd);
                }
            }
        } finally {
            sending.unlock();
        }
        for (int descriptor : incoming.takeDescriptors()) {
            Libc.close(descriptor);
        }
    }

    /** What sends. With {@link #sending}. */
    private final class Outgoing {
        private final UnsafeBuffer header = NativeMemory.allocate(MESSAGE_BYTES);
        private final UnsafeBuffer vector = NativeMemory.allocate(2 * Long.BYTES);
        private final UnsafeBuffer control = NativeMemory.allocate(CONTROL_BYTES);
        /** What the kernel reads. */
        private final UnsafeBuffer bytes = NativeMemory.allocate(MESSAGE_BYTES_MAX);

        int send(int socket, UnsafeBuffer message, int lengthBytes, int flags, int[] descriptors) {
            if (isClosed) {
                return -Errno.EPIPE.number();
            }
            boolean isLong = lengthBytes > MESSAGE_BYTES_MAX;
            if (!isLong) {
                bytes.putBytes(0, message, 0, lengthBytes);
            }
            vector.putLong(0, NativeMemory.address(isLong ? message : bytes));
            vector.putLong(Long.BYTES, lengthBytes);
            header.putLong(MESSAGE_VECTORS, NativeMemory.address(vector));
            header.putLong(MESSAGE_VECTOR_COUNT, 1);
            int controlBytes = descriptors.length == 0 ? 0 : CONTROL_DATA + descriptors.length * Integer.BYTES;
            header.putLong(MESSAGE_CONTROL, controlBytes == 0 ? 0 : NativeMemory.address(control));
            header.putLong(MESSAGE_CONTROL_LENGTH, controlBytes);
            control.putLong(0, controlBytes);
            control.putInt(CONTROL_LEVEL, Libc.SOL_SOCKET);
            control.putInt(CONTROL_TYPE, SCM_RIGHTS);
            for (int i = 0; i < descriptors.length; i++) {
                control.putInt(CONTROL_DATA + i * Integer.BYTES, descriptors[i]);
            }
            try {
                return Libc.sendMessage(socket, header, flags | Libc.MSG_NOSIGNAL);
            } finally {
                Reference.reachabilityFence(message);
                Reference.reachabilityFence(this);
            }
        }
    }

    /** What receives. The receiving thread's. */
    private static final class Incoming {
        private final UnsafeBuffer header = NativeMemory.allocate(MESSAGE_BYTES);
        private final UnsafeBuffer vector = NativeMemory.allocate(2 * Long.BYTES);
        private final UnsafeBuffer control;
        private int[] descriptors = {};

        /** Without room for descriptors the kernel throws away those that come. */
        Incoming(boolean takesDescriptors) {
            control = NativeMemory.allocate(takesDescriptors ? CONTROL_BYTES : 0);
        }

        int receive(int socket, UnsafeBuffer message) {
            vector.putLong(0, NativeMemory.address(message));
            vector.putLong(Long.BYTES, message.capacity());
            header.putLong(MESSAGE_VECTORS, NativeMemory.address(vector));
            header.putLong(MESSAGE_VECTOR_COUNT, 1);
            header.putLong(MESSAGE_CONTROL, control.capacity() == 0 ? 0 : NativeMemory.address(control));
            header.putLong(MESSAGE_CONTROL_LENGTH, control.capacity());
            int lengthBytes;
            try {
                do {
                    lengthBytes = Libc.receiveMessage(socket, header, Libc.MSG_CMSG_CLOEXEC);
                } while (lengthBytes == -Errno.EINTR.number());
            } finally {
                // The kernel writes to all of them while this waits, and a caller may have no further use for its own.
                Reference.reachabilityFence(message);
                Reference.reachabilityFence(this);
            }
            if (lengthBytes <= 0) {
                return 0;
            }
            noteDescriptors();
            return (header.getInt(MESSAGE_FLAGS) & TRUNCATED) == 0 ? lengthBytes : 0;
        }

        private void noteDescriptors() {
            for (int unwanted : takeDescriptors()) {
                Libc.close(unwanted);
            }
            long controlBytes = header.getLong(MESSAGE_CONTROL_LENGTH);
            if (controlBytes >= CONTROL_DATA && control.getInt(CONTROL_TYPE) == SCM_RIGHTS) {
                int count = (int) (control.getLong(0) - CONTROL_DATA) / Integer.BYTES;
                descriptors = new int[Math.min(count, DESCRIPTORS_MAX)];
                for (int i = 0; i < descriptors.length; i++) {
                    descriptors[i] = control.getInt(CONTROL_DATA + i * Integer.BYTES);
                }
            }
        }

        int[] takeDescriptors() {
            int[] taken = descriptors;
            descriptors = new int[0];
            return taken;
        }
    }
}
