package io.weir.nic;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** The environment refused something: what was attempted, the kernel's error by name, and what to do about it. */
public final class NicException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What the kernel says where an interface, its address, its link or a broker is not there. */
    private static final Set<Errno> ABSENT =
            EnumSet.of(Errno.ENODEV, Errno.EADDRNOTAVAIL, Errno.ENETDOWN, Errno.ECONNREFUSED);

    private final int errno;

    /** Reports a refusal that the kernel did not number. The message carries value, limit and remedy. */
    public NicException(String message) {
        super(message);
        this.errno = 0;
    }

    /** Reports a refusal whose cause is another exception. */
    public NicException(String message, Throwable cause) {
        super(message, cause);
        this.errno = 0;
    }

    /**
     * Reports a refused system call.
     *
     * @param errno the kernel's error number, positive
     * @param attempt what was attempted, as in {@code bind to queue 0 of eth0}
     * @param remedy what the user can do
     */
    public NicException(int errno, String attempt, String remedy) {
        super(attempt + ": " + Errno.describe(errno) + "; " + remedy);
        this.errno = errno;
    }

    /**
     * Reports a refusal under the number that the kernel has for its like. The message carries value, limit and remedy.
     */
    public NicException(Errno error, String message) {
        super(message);
        this.errno = error.number();
    }

    /** {@return the kernel's error number, or 0 when the refusal had none} */
    public int errno() {
        return errno;
    }

    /** {@return whether something is not there that may come: the interface, its address, its link, or a broker} */
    public boolean isAbsence() {
        return ABSENT.stream().anyMatch(this::is);
    }

    /** {@return whether the kernel's error was {@code error}} */
    public boolean is(Errno error) {
        return errno == error.number();
    }
}
