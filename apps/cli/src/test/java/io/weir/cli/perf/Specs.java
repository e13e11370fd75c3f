package io.weir.cli.perf;

/** Tests to ask for. */
final class Specs {
    static final String ID = "0123456789abcdef0123456789abcdef";

    private Specs() {}

    /** {@return one stream of this many bytes to the server} */
    static TestSpec bytes(long totalBytes) {
        return new TestSpecBuilder()
                .id(ID)
                .lengthBytes(10_000)
                .totalBytes(totalBytes)
                .build();
    }

    /** {@return the same, checked} */
    static TestSpec verified(long totalBytes, Direction direction, long seed) {
        return new TestSpecBuilder()
                .id(ID)
                .direction(direction)
                .lengthBytes(10_000)
                .totalBytes(totalBytes)
                .verifySeed(seed)
                .build();
    }

    /** {@return one stream to the server for this long} */
    static TestSpec time(long timeNanos) {
        return new TestSpecBuilder()
                .id(ID)
                .lengthBytes(10_000)
                .timeNanos(timeNanos)
                .build();
    }
}
