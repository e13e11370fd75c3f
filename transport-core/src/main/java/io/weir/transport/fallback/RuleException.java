package io.weir.transport.fallback;

/** Rules cannot be used: the message has the line, the column and the remedy. */
public final class RuleException extends Exception {
    private static final long serialVersionUID = 1;

    RuleException(String message) {
        super(message);
    }
}
