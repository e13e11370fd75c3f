package io.weir.transport.testing.circle;

/** Uses the circle, which does not use it: no part of it. */
final class Outside {
    First first() {
        return new Third().first();
    }
}
