package io.weir.transport.node;

/** A configuration that cannot work. The message has the value, the limit and the remedy. */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    /** Creates the exception, with what was thrown first, or null. */
    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
