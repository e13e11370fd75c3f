package io.weir.nic.dpdk;

/**
 * What a DPDK device and its port have counted.
 *
 * @param receivedFrames frames that came
 * @param transmittedFrames frames that left
 * @param missedFrames frames for which there was no slot
 * @param erroneousFrames frames that came damaged
 * @param unsentFrames frames that the device failed to send
 * @param copiedFrames received frames that lay in several pieces or in another port's memory, and were copied
 * @param droppedFrames such frames for which there was no slot, or that fit none
 */
record DpdkStatistics(
        long receivedFrames,
        long transmittedFrames,
        long missedFrames,
        long erroneousFrames,
        long unsentFrames,
        long copiedFrames,
        long droppedFrames) {
    /** Nothing. */
    static final DpdkStatistics NONE = new DpdkStatistics(0, 0, 0, 0, 0, 0, 0);
}
