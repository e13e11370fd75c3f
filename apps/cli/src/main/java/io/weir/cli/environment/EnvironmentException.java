package io.weir.cli.environment;

/** This host, as it is, cannot do what was asked. The message has the reason and the remedy. */
public final class EnvironmentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EnvironmentException(String message) {
        super(message);
    }

    /** Creates the exception with the one that showed it. */
    public EnvironmentException(String message, Throwable cause) {
        super(message, cause);
    }
}
