package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.XdpMode;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests {@link AfXdpConfig} and its parts: defaults, and messages that carry value and limit. */
class AfXdpConfigTest {
    @Test
    void build_nothingSet_hasTheDefaults() {
        AfXdpConfig config = AfXdpConfig.host("eth0").build();
        assertEquals(XdpMode.AUTO, config.mode());
        assertNull(config.ringSizes());
        assertEquals(true, config.needWakeup());
        assertEquals(BusyPoll.DEFAULT, config.busyPoll());
        assertEquals(256, config.transmitBudgetFrames());
    }

    @Test
    void build_smallTransmitRing_lowersTheDefaultBudget() {
        AfXdpConfig config =
                AfXdpConfig.host("eth0").ringSizes(RingSizes.ofAll(64)).build();
        assertEquals(64, config.transmitBudgetFrames());
    }

    @Test
    void interfaceName_impossible_isRefused() {
        assertMessage(
                "interfaceName=\"a b\" must have 1..15 printable characters without space or slash",
                () -> AfXdpConfig.host("a b").build());
        assertMessage(
                "interfaceName=\"\" must have 1..15 printable characters without space or slash",
                () -> AfXdpConfig.host("").build());
    }

    @Test
    void queues_negativeOrTwice_areRefused() {
        assertMessage(
                "queues contain -1; they are numbered from 0",
                () -> AfXdpConfig.host("eth0").queues(-1).build());
        assertMessage(
                "queues=[2, 2] name one twice",
                () -> AfXdpConfig.host("eth0").queues(2, 2).build());
    }

    @Test
    void udpPorts_outOfRange_areRefused() {
        assertMessage(
                "UDP port 0 must be 1..65535",
                () -> AfXdpConfig.host("eth0").udpPorts(0).build());
        assertMessage(
                "UDP port 65536 must be 1..65535",
                () -> AfXdpConfig.host("eth0").udpPorts(65536).build());
    }

    @Test
    void udpPorts_ofASwitchPort_areRefused() {
        assertMessage(
                "udpPorts=[80] make no sense for a switch port, which takes every frame; leave them out",
                () -> AfXdpConfig.switchPort("eth0").udpPorts(80).build());
    }

    @Test
    void ringSizes_notAPowerOfTwo_areRefused() {
        assertMessage(
                "ringSizes.transmitFrames=1000 must be a power of two of 64..32768",
                () -> new RingSizes(64, 1000, 64, 64));
        assertMessage(
                "ringSizes.fillFrames=65536 must be a power of two of 64..32768",
                () -> new RingSizes(64, 64, 65536, 64));
    }

    @Test
    void transmitBudget_largerThanTheRing_isRefused() {
        assertMessage(
                "transmitBudgetFrames=4096 must be 32..ringSizes.transmitFrames=2048",
                () -> AfXdpConfig.host("eth0").transmitBudgetFrames(4096).build());
    }

    @Test
    void busyPoll_impossible_isRefused() {
        assertMessage("busyPoll.microseconds=5000 must be 1..1000", () -> BusyPoll.always(5000, 64));
        assertMessage("busyPoll.microseconds=0 must be 1..1000", () -> BusyPoll.always(0, 64));
        assertMessage("busyPoll.budgetFrames=0 must be 1..65535", () -> BusyPoll.always(20, 0));
    }

    @Test
    void pool_slotsTheKernelDoesNotTake_areRefused() {
        FramePool pool = new FramePool(16, 16384);
        assertMessage(
                "frameCapacityBytes=16384 of the pool must be 2048, or 1 to 3 times 4096, for AF_XDP",
                () -> new AfXdp(pool).close());
    }

    private static void assertMessage(String message, Executable executable) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, executable).getMessage());
    }

    @Test
    void document_sections_haveEveryOptionWithItsDefault() throws Exception {
        String document =
                Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "CONFIGURATION.md"));
        AfXdpConfig defaults = AfXdpConfig.host("eth0").build();
        for (Record record : List.of(defaults, RingSizes.DEFAULT, BusyPoll.DEFAULT)) {
            StringBuilder rows = new StringBuilder();
            for (RecordComponent option : record.getClass().getRecordComponents()) {
                Object value = option.getAccessor().invoke(record);
                rows.append("`")
                        .append(option.getName())
                        .append("` ")
                        .append(print(option.getName(), value))
                        .append('\n');
            }
            String heading = "### `" + record.getClass().getSimpleName() + "`\n";
            String section = document.substring(document.indexOf(heading) + heading.length())
                    .replaceAll("(?s)\n#.*", "");
            String written = Pattern.compile("(?m)^\\| (`\\w+`) \\| ([^|]+) \\| [^|]+ \\| [^|]+ \\|$")
                    .matcher(section)
                    .results()
                    .map(row -> row.group(1) + " " + row.group(2) + "\n")
                    .collect(Collectors.joining());
            assertEquals(rows.toString(), written);
        }
    }

    private static String print(String option, Object value) {
        if (option.equals("interfaceName")) {
            return "required";
        }
        if (value instanceof Record) {
            return "`" + value.getClass().getSimpleName() + "`";
        }
        if (value instanceof Integer number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
        return value == null ? "none" : value.toString();
    }
}
