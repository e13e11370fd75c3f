package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;

/** As what a refusal of the broker's reaches the client's caller. */
enum RefusalKind {
    /** The environment cannot do it. */
    ENVIRONMENT,
    /** The user has not the right. */
    NOT_ALLOWED,
    /** The port is somebody else's. */
    IN_USE,
    /** There is no way to the host. */
    NO_WAY,
    /** The time did not suffice to tell. */
    TIMED_OUT,
    /** Nobody has the remote port. */
    NOBODY_LISTENS;

    private static final RefusalKind[] VALUES = values();

    /** {@return the kind with this number; what is unknown is of the environment} */
    static RefusalKind of(int number) {
        return number < 0 || number >= VALUES.length ? ENVIRONMENT : VALUES[number];
    }

    /** {@return the kind that fits an exception} */
    static RefusalKind of(IOException failure) {
        if (failure instanceof BindException) {
            return IN_USE;
        } else if (failure instanceof NoRouteToHostException) {
            return NO_WAY;
        } else if (failure instanceof SocketTimeoutException) {
            return TIMED_OUT;
        } else if (failure instanceof ConnectException) {
            return NOBODY_LISTENS;
        }
        return failure instanceof NicException refused && refused.is(Errno.EACCES) ? NOT_ALLOWED : ENVIRONMENT;
    }

    /** {@return the exception that it is at the client} */
    IOException toException(String sentence) {
        return switch (this) {
            case ENVIRONMENT -> new NicException(sentence);
            case NOT_ALLOWED -> new NicException(Errno.EACCES, sentence);
            case IN_USE -> new BindException(sentence);
            case NO_WAY -> new NoRouteToHostException(sentence);
            case TIMED_OUT -> new SocketTimeoutException(sentence);
            case NOBODY_LISTENS -> new ConnectException(sentence);
        };
    }
}
