package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.Errno;
import io.weir.nic.net.InterfaceFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what is advised about drivers that refuse a program, by what they would tell. */
class DriverObstaclesTest {
    private static String advice(String driver, Errno error, int queues, int max, List<String> joining) {
        InterfaceFacts device = new InterfaceFacts("x0", 7, 1, 1_500, true, true, queues, driver, 0, 0, List.of());
        return DriverObstacles.advice(device, error.number(), max, joining);
    }

    @Test
    void advice_enaWithoutSpareQueues_saysHowManyToUse() {
        assertEquals(
                "; driver ena wants as many spare queues as are in use, and 8 of 8 are: ethtool -L x0 combined 4",
                advice("ena", Errno.EINVAL, 8, 8, List.of()));
        assertEquals("", advice("ena", Errno.EINVAL, 4, 8, List.of()));
        assertEquals("", advice("ena", Errno.EOPNOTSUPP, 8, 8, List.of()));
    }

    @Test
    void advice_virtioWithoutSpareQueues_saysHowManyToUse() {
        assertEquals(
                "; this driver virtio_net wants a spare queue for each processor, and has 0: ethtool -L x0 combined 2,"
                        + " or give the machine more",
                advice("virtio_net", Errno.ENOMEM, 4, 4, List.of()));
        assertEquals("", advice("virtio_net", Errno.EOPNOTSUPP, 4, 4, List.of()));
        assertEquals("", advice("veth", Errno.ENOMEM, 1, 1, List.of()));
    }

    @Test
    void advice_joinedFramesThatCannotBeTurnedOff_areNamed() {
        assertEquals(
                "; it may be for rx-lro, which the driver does not let be turned off",
                advice("other", Errno.EINVAL, 1, 1, List.of("rx-lro")));
    }
}
