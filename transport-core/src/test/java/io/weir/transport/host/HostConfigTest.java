package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.Slack;
import io.weir.transport.node.ConfigException;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.SharedHostMac;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests {@link HostConfig}. */
class HostConfigTest {
    private static final Path WIRE = Path.from(1, IpAddress.v4(1), 10).to(2, IpAddress.v4(2), 11);
    private static final Path MEMORY = Path.from(1, IpAddress.v4(1), 10).to(SharedHostMac.of(7), IpAddress.v4(2), 11);

    private static HostConfig build(UnaryOperator<HostConfig.Builder> options) {
        return options.apply(HostConfig.builder(1, List.of(IpAddress.v4(1)), 10_000_000_000L))
                .build();
    }

    private static ConfigException refused(UnaryOperator<HostConfig.Builder> options) {
        return assertThrows(ConfigException.class, () -> build(options));
    }

    @Test
    void build_defaults_leaveOnePercentWithoutCredit() {
        HostConfig config = build(builder -> builder);
        assertEquals(1538, config.link().dataWireBytesMax());
        assertEquals(9_900_000_000L, config.link().credits().creditedRateBps());
        assertEquals(Slack.NONE, config.slack());
    }

    @Test
    void build_jumboFrames_chargesCreditsForThem() {
        HostConfig config = build(builder -> builder.mtuBytes(9_000));
        assertEquals(9_038, config.link().credits().surchargeBytes());
    }

    @Test
    void build_receiveBufferSmallerThanASegment_isRefused() {
        StreamLimits small = StreamLimits.fixed(4096, 4096)
                .withGapsMax(1)
                .withFramesInFlightMax(1)
                .withAckFrames(1);
        String message =
                refused(builder -> builder.mtuBytes(9_000).streams(small)).getMessage();
        assertTrue(message.startsWith("receiveBufferBytes=4096 holds no segment"), message);
        build(builder -> builder.mtuBytes(4_096).streams(small));
    }

    @Test
    void build_checksumsOverPayloadThatIsNotThere_areRefused() {
        String message = refused(builder -> builder.payload(Payload.ELIDED).checksums(ChecksumScope.ALL))
                .getMessage();
        assertTrue(message.startsWith("payload=ELIDED does not go with checksums=ALL"), message);
        refused(builder -> builder.checksums(ChecksumScope.NONE));
        assertEquals(
                ChecksumScope.NONE,
                build(builder -> builder.payload(Payload.ELIDED)).checksums());
    }

    @Test
    void build_limitsOfFramesOutsideTheirRange_areRefused() {
        for (int bytes : new int[] {-1, 499, 65_536}) {
            String message = refused(builder -> builder.segmentBytesMax(bytes)).getMessage();
            assertTrue(message.startsWith("segmentBytesMax=" + bytes + " is outside 500..65535"), message);
        }
        for (int label : new int[] {-1, 1 << 20}) {
            String message = refused(builder -> builder.flowLabel(label)).getMessage();
            assertTrue(message.startsWith("flowLabel=" + label + " is outside 0 (none)..1048575"), message);
        }
        build(builder -> builder.segmentBytesMax(500).flowLabel((1 << 20) - 1));
    }

    @Test
    void checksumsOn_memoryThatProcessesShare_leavesDataWithout() {
        HostConfig config = build(builder -> builder.checksums(ChecksumScope.ALL_ON_WIRES));
        assertEquals(ChecksumScope.ALL, config.checksumsOn(WIRE));
        assertEquals(ChecksumScope.NOT_ON_DATA, config.checksumsOn(MEMORY));
        assertEquals(ChecksumScope.ALL, build(builder -> builder).checksumsOn(MEMORY));
        HostConfig elided = build(builder -> builder.payload(Payload.ELIDED));
        assertEquals(ChecksumScope.NONE, elided.checksumsOn(MEMORY));
    }

    @Test
    void linkOf_eachPath_isItsOwn() {
        HostLinkConfig memory = HostLinkConfig.of(9_000, 40_000_000_000L);
        HostConfig config = build(builder -> builder.memory(memory).streams(StreamLimits.GROWING));
        assertSame(config.link(), config.linkOf(WIRE));
        assertSame(memory, config.linkOf(MEMORY));
        assertEquals(9_038, memory.credits().surchargeBytes());
        assertEquals(39_600_000_000L, memory.credits().creditedRateBps());
        assertEquals(9_000, config.mtuBytesMax());
        assertEquals(16_384, config.bufferBytesInitialOn(WIRE));
        assertEquals(36_000, config.bufferBytesInitialOn(MEMORY));
    }

    @Test
    void build_withoutMemory_hasTheLinkEverywhere() {
        HostConfig config = build(builder -> builder.mtuBytes(4_000).portRateBps(20_000_000_000L));
        assertSame(config.link(), config.linkOf(MEMORY));
        assertEquals(
                16_384, build(builder -> builder.streams(StreamLimits.GROWING)).bufferBytesInitialOn(MEMORY));
        assertEquals(4_000, config.mtuBytesMax());
        assertEquals(10_000_000_000L, config.link().rateBps());
        assertEquals(20_000_000_000L, config.link().deviceRateBps());
    }

    @Test
    void build_memoryThatNoLinkCouldBe_isRefused() {
        assertThrows(ConfigException.class, () -> HostLinkConfig.of(65_536, 1_000_000));
        assertThrows(IllegalArgumentException.class, () -> HostLinkConfig.of(1_500, 0));
        StreamLimits small = StreamLimits.fixed(4096, 4096);
        HostLinkConfig memory = HostLinkConfig.of(9_000, 1_000_000);
        String message =
                refused(builder -> builder.memory(memory).streams(small)).getMessage();
        assertTrue(
                message.startsWith("receiveBufferBytes=4096 holds no segment of a packet of mtuBytes=9000"), message);
    }

    @Test
    void build_smallMtu_isForHostsWithIpv4Alone() {
        assertEquals(576, build(builder -> builder.mtuBytes(576)).link().mtuBytes());
        List<IpAddress> both = List.of(IpAddress.v4(1), IpAddress.v6(0, 1));
        HostConfig.Builder builder =
                HostConfig.builder(1, both, 10_000_000_000L).mtuBytes(1_279);
        assertThrows(ConfigException.class, builder::build);
    }

    @Test
    void build_outOfRange_isRefused() {
        refused(builder -> builder.mtuBytes(575));
        refused(builder -> builder.mtuBytes(65_536));
        refused(builder -> builder.connections(0, 1));
        refused(builder -> builder.connections(1, 0));
    }

    @Test
    void toString_everyComponent_isThereAndTheEthernetAddressAsPeopleWriteIt() {
        String text = build(builder -> builder).toString();
        assertTrue(text.startsWith("HostConfig[mac=00:00:00:00:00:01, addresses=["), text);
        for (RecordComponent component : HostConfig.class.getRecordComponents()) {
            assertTrue(text.contains(component.getName() + "="), component.getName());
        }
    }
}
