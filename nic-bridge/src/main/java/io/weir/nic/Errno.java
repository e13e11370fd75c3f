package io.weir.nic;

/**
 * The errors that Linux returns on the paths used here, by number, symbol and meaning. The numbers are those of x86-64
 * and aarch64.
 */
public enum Errno {
    /** Operation not permitted. */
    EPERM(1, "operation not permitted"),
    /** No such file or directory; in BPF, no such element. */
    ENOENT(2, "no such entry"),
    /** No such process. */
    ESRCH(3, "no such process"),
    /** Interrupted by a signal. */
    EINTR(4, "interrupted"),
    /** Input/output error. */
    EIO(5, "input/output error"),
    /** No such device or address: the socket's interface is gone. */
    ENXIO(6, "no such device or address"),
    /** Argument list too long; in BPF, an index beyond the map. */
    E2BIG(7, "argument list too long"),
    /** Bad file descriptor. */
    EBADF(9, "bad file descriptor"),
    /** Try again. */
    EAGAIN(11, "try again"),
    /** Out of memory. */
    ENOMEM(12, "out of memory"),
    /** Permission denied. */
    EACCES(13, "permission denied"),
    /** Bad address. */
    EFAULT(14, "bad address"),
    /** Device or resource busy. */
    EBUSY(16, "device or resource busy"),
    /** File exists. */
    EEXIST(17, "already exists"),
    /** No such device. */
    ENODEV(19, "no such device"),
    /** Invalid argument. */
    EINVAL(22, "invalid argument"),
    /** Too many open files in the system. */
    ENFILE(23, "too many open files in the system"),
    /** Too many open files. */
    EMFILE(24, "too many open files"),
    /** No space left. */
    ENOSPC(28, "no space left"),
    /** Broken pipe: the peer reads no more. */
    EPIPE(32, "the peer reads no more"),
    /** Result out of range. */
    ERANGE(34, "out of range"),
    /** Function not implemented. */
    ENOSYS(38, "not implemented by this kernel"),
    /** Protocol option not available. */
    ENOPROTOOPT(92, "option not available"),
    /** Protocol not supported. */
    EPROTONOSUPPORT(93, "protocol not supported"),
    /** Operation not supported. */
    EOPNOTSUPP(95, "operation not supported"),
    /** Address family not supported. */
    EAFNOSUPPORT(97, "address family not supported"),
    /** Address already in use. */
    EADDRINUSE(98, "address already in use"),
    /** Cannot assign the requested address. */
    EADDRNOTAVAIL(99, "address not available"),
    /** Network is down: the interface is not up. */
    ENETDOWN(100, "network is down"),
    /** Network is unreachable. */
    ENETUNREACH(101, "network is unreachable"),
    /** Connection reset by the peer. */
    ECONNRESET(104, "connection reset"),
    /** No buffer space, or over the limit of locked memory. */
    ENOBUFS(105, "no buffer space available"),
    /** Timed out. */
    ETIMEDOUT(110, "timed out"),
    /** Connection refused. */
    ECONNREFUSED(111, "connection refused"),
    /** No route to host. */
    EHOSTUNREACH(113, "no route to host"),
    /** A connection is being opened already. */
    EALREADY(114, "already in progress"),
    /** A connection is being opened. */
    EINPROGRESS(115, "in progress");

    private static final Errno[] VALUES = values();

    private final int number;
    private final String meaning;

    Errno(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    /** {@return the number that the kernel returns} */
    public int number() {
        return number;
    }

    /** {@return the symbol and meaning of any error number, as in {@code EBUSY (device or resource busy)}} */
    public static String describe(int number) {
        for (Errno errno : VALUES) {
            if (errno.number == number) {
                return errno.name() + " (" + errno.meaning + ")";
            }
        }
        return symbol(number);
    }

    /** {@return the symbol of any error number, as in {@code EBUSY}; {@code errno 999} for one not listed here} */
    public static String symbol(int number) {
        for (Errno errno : VALUES) {
            if (errno.number == number) {
                return errno.name();
            }
        }
        return "errno " + number;
    }
}
