package io.weir.cli.lab;

/**
 * What a data queue held in each of many equal windows: at most, and on average. Windows in or right after which a loop
 * had been off its core are counted apart: then the queue shows the machine's scheduler, not the protocol.
 *
 * @param windowNanos the length of a window
 * @param windows how many windows there were
 * @param windowsStalled in how many of them, or right before, a loop was off its core
 * @param bytesP999 the 99.9th percentile of the other windows' maxima, or null if there were none
 * @param bytesMax the largest of the other windows' maxima, or null
 * @param bytesMean the mean over the time of the other windows, or null
 * @param bytesMaxStalled the largest maximum of the windows with stalls, or null if there were none
 */
public record QueueStats(
        long windowNanos,
        long windows,
        long windowsStalled,
        Long bytesP999,
        Long bytesMax,
        Long bytesMean,
        Long bytesMaxStalled) {
    /** {@return how much time the windows cover in which, and right before which, every loop kept its core} */
    public long calmNanos() {
        return (windows - windowsStalled) * windowNanos;
    }
}
