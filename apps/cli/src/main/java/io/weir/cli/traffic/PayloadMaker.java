package io.weir.cli.traffic;

/** Where the bytes of a stream come from. */
public interface PayloadMaker {
    /**
     * Writes the stream's next bytes.
     *
     * @return how many there were: fewer than {@code length} only at the end
     */
    int next(byte[] target, int offset, int length);
}
