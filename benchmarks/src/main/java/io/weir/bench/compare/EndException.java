package io.weir.bench.compare;

/** A process of a comparison did not do what it was to do. */
final class EndException extends Exception {
    private static final long serialVersionUID = 1;

    EndException(String message) {
        super(message);
    }
}
