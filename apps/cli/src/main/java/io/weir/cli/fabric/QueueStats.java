package io.weir.cli.fabric;

/**
 * What a data queue held at most in each of many equal windows. Windows in or right after which a loop had been off its core
 * are counted apart: then the queue shows the machine's scheduler, not the protocol.
 *
 * @param windowNanos the length of a window
 * @param windows how many windows there were
 * @param windowsStalled in how many of them, or right before, a loop was off its core
 * @param bytesP999 the 99.9th percentile of the other windows' maxima
 * @param bytesMax the largest of the other windows' maxima
 * @param bytesMaxStalled the largest maximum of the windows with stalls
 */
public record QueueStats(
        long windowNanos, long windows, long windowsStalled, long bytesP999, long bytesMax, long bytesMaxStalled) {
    /** {@return the share of windows in or right before which a loop was off its core} */
    public double stalledShare() {
        return windows == 0 ? 0 : (double) windowsStalled / windows;
    }
}
