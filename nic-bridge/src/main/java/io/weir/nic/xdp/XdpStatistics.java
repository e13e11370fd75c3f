package io.weir.nic.xdp;

/**
 * What the kernel counted for a port since it was opened, all its queues together.
 *
 * @param receiveDropped frames dropped for other reasons, such as being longer than a slot
 * @param receiveInvalid addresses in the fill ring that the kernel refused
 * @param transmitInvalid descriptors in the transmit ring that the kernel refused
 * @param receiveRingFull frames dropped because the receive ring was full
 * @param fillRingEmpty frames dropped because no frame waited to receive into
 * @param transmitRingEmpty times that the kernel found nothing to transmit
 */
public record XdpStatistics(
        long receiveDropped,
        long receiveInvalid,
        long transmitInvalid,
        long receiveRingFull,
        long fillRingEmpty,
        long transmitRingEmpty) {
    /** Nothing counted. */
    public static final XdpStatistics NONE = new XdpStatistics(0, 0, 0, 0, 0, 0);

    XdpStatistics plus(XdpStatistics other) {
        return new XdpStatistics(
                receiveDropped + other.receiveDropped,
                receiveInvalid + other.receiveInvalid,
                transmitInvalid + other.transmitInvalid,
                receiveRingFull + other.receiveRingFull,
                fillRingEmpty + other.fillRingEmpty,
                transmitRingEmpty + other.transmitRingEmpty);
    }
}
