package io.weir.nic.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LabEnd;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link MacAddress}. */
class MacAddressTest {
    @Test
    void of_sixBytes_firstIsHighest() {
        assertEquals(0x0200_0A00_00FFL, MacAddress.of(new byte[] {2, 0, 10, 0, 0, (byte) 0xFF}));
    }

    @Test
    void of_notSixBytes_isZero() {
        assertEquals(0, MacAddress.of(new byte[8]));
        assertEquals(0, MacAddress.of(null));
    }

    @Test
    void text_leadingZeros_areKept() {
        assertEquals("02:00:0a:00:00:ff", MacAddress.text(0x0200_0A00_00FFL));
    }

    @Test
    void records_asText_haveTheAddressAsPeopleWriteIt() throws Exception {
        InetAddress address = InetAddress.getByName("10.0.0.1");
        for (Object shown : List.of(
                new NextHop(address, address, 0x0200_0A00_00FFL),
                new InterfaceFacts("eth0", 2, 0x0200_0A00_00FFL, 1500, true, true, 1, "veth", 0, 0, List.of()),
                new KernelEvent.Link(false, 2, "eth0", true, true, 0x0200_0A00_00FFL, 1500, 1, 0, 0),
                new KernelEvent.Neighbour(false, 2, address, 0x0200_0A00_00FFL, NeighbourState.NONE),
                new LabEnd(NetNamespace.own(), "eth0").withMac(0x0200_0A00_00FFL))) {
            assertTrue(shown.toString().contains("macAddress=02:00:0a:00:00:ff"), shown.toString());
            for (RecordComponent component : shown.getClass().getRecordComponents()) {
                assertTrue(shown.toString().contains(component.getName() + "="), component.getName());
            }
        }
    }
}
