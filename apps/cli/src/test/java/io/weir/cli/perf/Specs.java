package io.weir.cli.perf;

/** Tests to ask for. */
final class Specs {
    static final String ID = "0123456789abcdef0123456789abcdef";

    private Specs() {}

    /** {@return one stream of this many bytes to the server} */
    static TestSpec bytes(long totalBytes) {
        return new TestSpec(ID, Kind.BULK, Direction.FORWARD, 1, 10_000, 0, totalBytes, 0, null);
    }

    /** {@return the same, checked} */
    static TestSpec verified(long totalBytes, Direction direction, long seed) {
        return new TestSpec(ID, Kind.BULK, direction, 1, 10_000, 0, totalBytes, 0, seed);
    }

    /** {@return one stream to the server for this long} */
    static TestSpec time(long timeNanos) {
        return new TestSpec(ID, Kind.BULK, Direction.FORWARD, 1, 10_000, timeNanos, 0, 0, null);
    }
}
