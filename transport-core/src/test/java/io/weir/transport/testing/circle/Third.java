package io.weir.transport.testing.circle;

/** The circle's third class. */
final class Third {
    First first() {
        return new First(null);
    }
}
