package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.net.DriverFeatures;
import io.weir.transport.node.StampSources;
import io.weir.transport.runtime.XdpMode;
import org.junit.jupiter.api.Test;

/** Which stamps a port asks for, and why no others. */
class StampPlanTest {
    private static final DriverFeatures NONE = new DriverFeatures(false, false, false, false, false, "");
    private static final DriverFeatures RECEIVE = new DriverFeatures(true, true, false, false, false, "");
    private static final DriverFeatures BOTH = new DriverFeatures(true, true, true, false, false, "");

    private static String plan(AfXdpConfig config, String driver, DriverFeatures features) {
        return StampPlan.of(config, driver, features).sources().line();
    }

    private static AfXdpConfig config(StampMode stamps, XdpMode mode) {
        return AfXdpConfig.host("eth0").stamps(stamps).mode(mode).build();
    }

    @Test
    void of_driverOffersBoth_bothAreHardware() {
        assertEquals(
                "receive hardware, transmit hardware (receive: by XDP metadata; transmit: by AF_XDP metadata)",
                plan(config(StampMode.AUTO, XdpMode.AUTO), "igc", BOTH));
    }

    @Test
    void of_driverOffersReceiveAlone_transmitSaysSo() {
        assertEquals(
                "receive hardware, transmit software (receive: by XDP metadata; transmit: driver ice offers none)",
                plan(config(StampMode.AUTO, XdpMode.AUTO), "ice", RECEIVE));
    }

    @Test
    void of_driverOffersNothing_saysSo() {
        assertEquals(
                "receive kernel, transmit software (receive: driver tun offers none; transmit: driver tun offers none)",
                plan(config(StampMode.AUTO, XdpMode.AUTO), "tun", NONE));
    }

    @Test
    void of_veth_isNotBelieved() {
        assertEquals(
                "receive kernel, transmit software (receive: driver veth offers those of packets, which have none;"
                        + " transmit: driver veth offers none)",
                plan(config(StampMode.AUTO, XdpMode.AUTO), "veth", RECEIVE));
    }

    @Test
    void of_vethAndHardwareAskedFor_isAsked() {
        assertEquals(
                "receive hardware, transmit software (receive: by XDP metadata; transmit: driver veth offers none)",
                plan(config(StampMode.HARDWARE, XdpMode.AUTO), "veth", RECEIVE));
    }

    @Test
    void of_genericMode_deviceCannotBeAsked() {
        assertEquals(
                "receive kernel, transmit software (receive: only programs in the driver can ask;"
                        + " transmit: of no use without those of receiving, which set the clock)",
                plan(config(StampMode.AUTO, XdpMode.GENERIC), "igc", BOTH));
    }

    @Test
    void withoutSource_deviceRefused_kernelThenLoop() {
        StampPlan plan = StampPlan.of(config(StampMode.AUTO, XdpMode.AUTO), "ice", RECEIVE);
        StampPlan kernel = plan.withoutSource("no");
        assertEquals(StampSources.Source.KERNEL, kernel.receive());
        StampPlan loop = kernel.withoutSource("neither");
        assertEquals(
                "receive software, transmit software (receive: by XDP metadata; transmit: driver ice offers none;"
                        + " refused: no; refused: neither)",
                loop.sources().line());
    }

    @Test
    void of_kernelDoesNotTell_saysWhy() {
        assertEquals(
                "receive kernel, transmit software (Linux 5.10)",
                plan(
                        config(StampMode.AUTO, XdpMode.AUTO),
                        "igc",
                        new DriverFeatures(false, false, false, false, false, "Linux 5.10")));
    }
}
