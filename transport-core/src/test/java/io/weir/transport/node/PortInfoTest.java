package io.weir.transport.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.runtime.MemoryLink;
import java.lang.reflect.RecordComponent;
import org.junit.jupiter.api.Test;

/** Tests {@link PortInfo}. */
class PortInfoTest {
    @Test
    void toString_everyComponent_isThereAndTheEthernetAddressAsPeopleWriteIt() {
        String text = MemoryLink.info("mem0", 0x0200_0A00_00FFL, 1500, 0).toString();
        assertTrue(text.contains("macAddress=02:00:0a:00:00:ff"), text);
        for (RecordComponent component : PortInfo.class.getRecordComponents()) {
            assertTrue(text.contains(component.getName() + "="), component.getName());
        }
    }
}
