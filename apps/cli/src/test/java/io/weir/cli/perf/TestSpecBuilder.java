package io.weir.cli.perf;

/** Tests of one stream to the server, with what a test says. */
final class TestSpecBuilder {
    private String id;
    private Kind kind = Kind.BULK;
    private Direction direction = Direction.FORWARD;
    private int parallel = 1;
    private int lengthBytes = 1;
    private long timeNanos;
    private long totalBytes;
    private long bitrateBps;
    private Long verifySeed;
    private TestDetails details = TestDetails.NONE;

    TestSpecBuilder id(String value) {
        id = value;
        return this;
    }

    TestSpecBuilder kind(Kind value) {
        kind = value;
        return this;
    }

    TestSpecBuilder direction(Direction value) {
        direction = value;
        return this;
    }

    TestSpecBuilder parallel(int value) {
        parallel = value;
        return this;
    }

    TestSpecBuilder lengthBytes(int value) {
        lengthBytes = value;
        return this;
    }

    TestSpecBuilder timeNanos(long value) {
        timeNanos = value;
        return this;
    }

    TestSpecBuilder totalBytes(long value) {
        totalBytes = value;
        return this;
    }

    TestSpecBuilder bitrateBps(long value) {
        bitrateBps = value;
        return this;
    }

    TestSpecBuilder verifySeed(Long value) {
        verifySeed = value;
        return this;
    }

    TestSpecBuilder details(TestDetails value) {
        details = value;
        return this;
    }

    /** {@return the test} */
    TestSpec build() {
        return new TestSpec(
                id, kind, direction, parallel, lengthBytes, timeNanos, totalBytes, bitrateBps, verifySeed, details);
    }
}
