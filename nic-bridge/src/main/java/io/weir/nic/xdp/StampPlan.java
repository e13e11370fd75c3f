package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.net.InterfaceFacts;
import io.weir.transport.node.StampSources;
import io.weir.transport.node.StampSources.Source;
import io.weir.transport.runtime.XdpMode;

/**
 * Which stamps a port asks for, and why no better ones.
 *
 * @param receive who says when frames came: the device, the kernel by the XDP program, or the event loop
 * @param transmit whether the device is to tell at completion when frames left
 * @param reason what was found, for the port's description
 */
record StampPlan(Source receive, boolean transmit, String reason) {
    /** {@return the plan for a port of this device in the calling thread's namespace} */
    static StampPlan of(AfXdpConfig config, InterfaceFacts device) throws NicException {
        if (config.program() == ProgramKind.SWITCH) {
            return none("a switch measures no delays");
        }
        if (config.stamps() == StampMode.SOFTWARE) {
            return none("software asked for");
        }
        StampPlan plan = of(config, device.driver(), DriverFeatures.of(device.index()));
        if (config.stamps() == StampMode.HARDWARE && !plan.asksDevice()) {
            throw new NicException("interface " + device.name() + " cannot stamp frames: " + plan.reason
                    + "; use stamps AUTO or SOFTWARE");
        }
        return plan;
    }

    static StampPlan of(AfXdpConfig config, String driver, DriverFeatures features) {
        if (!features.problem().isEmpty()) {
            return byKernel(features.problem());
        }
        String name = driver.isEmpty() ? "this driver" : "driver " + driver;
        boolean isGeneric = config.mode() == XdpMode.GENERIC;
        // Its stamp is the one that the packet brought along, and nothing on a veth's other side gives it any.
        boolean isHollow = driver.equals(InterfaceFacts.VETH) && config.stamps() != StampMode.HARDWARE;
        boolean receive = features.receiveStamps() && !isGeneric && !isHollow;
        String receiveReason = !features.receiveStamps()
                ? name + " offers none"
                : isGeneric
                        ? "only programs in the driver can ask"
                        : isHollow ? name + " offers those of packets, which have none" : "by XDP metadata";
        boolean transmit = features.transmitStamps() && receive;
        String transmitReason = !features.transmitStamps()
                ? name + " offers none"
                : transmit ? "by AF_XDP metadata" : "of no use without those of receiving, which set the clock";
        String reason = "receive: " + receiveReason + "; transmit: " + transmitReason;
        return receive ? new StampPlan(Source.HARDWARE, transmit, reason) : byKernel(reason);
    }

    private static StampPlan none(String reason) {
        return new StampPlan(Source.SOFTWARE, false, reason);
    }

    private static StampPlan byKernel(String reason) {
        return new StampPlan(Source.KERNEL, false, reason);
    }

    /** {@return the plan without the device or the kernel, which turned out not to do what was planned} */
    StampPlan withoutSource(String problem) {
        String tried = reason + "; refused: " + problem;
        return asksDevice() ? byKernel(tried) : none(tried);
    }

    /** {@return the plan without stamps of departures, for which the kernel did not take the memory} */
    StampPlan withoutTransmit(String problem) {
        return new StampPlan(receive, false, reason + "; transmit refused: " + problem);
    }

    /** {@return whether the program asks the device when frames came} */
    boolean asksDevice() {
        return receive == Source.HARDWARE;
    }

    /** {@return whether frames come with a stamp before them} */
    boolean stampsArrivals() {
        return receive != Source.SOFTWARE;
    }

    StampSources sources() {
        return new StampSources(receive, transmit ? Source.HARDWARE : Source.SOFTWARE, reason);
    }
}
