package io.weir.cli.demo;

/**
 * What became of a verified transfer.
 *
 * @param bytes how many bytes were sent
 * @param receivedBytes how many arrived
 * @param nanos from the first byte's arrival to the last one's
 * @param expectedSha256 the hash of what was sent
 * @param receivedSha256 the hash of what arrived
 */
record Transfer(long bytes, long receivedBytes, long nanos, String expectedSha256, String receivedSha256) {
    /** {@return whether every byte arrived as it was sent} */
    boolean isIntact() {
        return bytes == receivedBytes && expectedSha256.equals(receivedSha256);
    }
}
