package io.weir.transport.testing.circle;

/** One of three that know each other in a circle: what {@code ClassCirclesTest} must find. */
final class First {
    private final Second next;

    First(Second next) {
        this.next = next;
    }

    Second next() {
        return next;
    }

    /** In the circle through the class around it. */
    static final class Inner {
        Third[] thirds() {
            return new Third[0];
        }
    }
}
