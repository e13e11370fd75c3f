package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import org.junit.jupiter.api.Test;

/** Tests what is said of congestion controls that the kernel refuses. */
class CongestionControlsTest {
    private static final CongestionControls KERNEL = new CongestionControls("reno bbr cubic", "reno bbr");

    private static NicException refusedBy(Errno error) {
        return new NicException(error.number(), "try it", "none");
    }

    @Test
    void refusal_notAllowedToThisUser_saysWhatIsAndHowToAllowIt() {
        assertEquals(
                "TCP's congestion control cubic is refused: this kernel has reno bbr cubic, and allows reno bbr to"
                        + " everybody; run as root (CAP_NET_ADMIN), or allow it: sysctl -w"
                        + " net.ipv4.tcp_allowed_congestion_control='reno bbr cubic'",
                KERNEL.refusal("cubic", refusedBy(Errno.EPERM)));
    }

    @Test
    void refusal_notThere_saysWhatIsAndWhichModule() {
        assertEquals(
                "TCP's congestion control vegas is refused: this kernel has reno bbr cubic; write one of these, or load"
                        + " its module: modprobe tcp_vegas",
                KERNEL.refusal("vegas", refusedBy(Errno.ENOENT)));
    }

    @Test
    void refusal_forAnotherReason_saysThat() {
        assertEquals("try it: EMFILE (too many open files); none", KERNEL.refusal("cubic", refusedBy(Errno.EMFILE)));
    }
}
