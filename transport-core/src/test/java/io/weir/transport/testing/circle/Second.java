package io.weir.transport.testing.circle;

/** The circle's second class. */
final class Second {
    Third[] thirds() {
        return new First.Inner().thirds();
    }
}
