package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.weir.transport.testing.Document;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that channels keep each option that {@code docs/NETTY.md} has; Netty only logs those that a channel refuses.
 */
class OptionsTest {
    private static final Map<String, Object> OF_CLIENTS = Map.ofEntries(
            Map.entry("CONNECT_TIMEOUT_MILLIS", 1_234),
            Map.entry("SO_LINGER", 7),
            Map.entry("SO_SNDBUF", 300_000),
            Map.entry("SO_RCVBUF", 200_000),
            Map.entry("SO_KEEPALIVE", true),
            Map.entry("SO_REUSEADDR", true),
            Map.entry("TCP_NODELAY", false),
            Map.entry("IP_TOS", 8),
            Map.entry("TCP_FASTOPEN_CONNECT", true),
            Map.entry("ALLOW_HALF_CLOSURE", true),
            Map.entry("AUTO_READ", false),
            Map.entry("AUTO_CLOSE", false),
            Map.entry("WRITE_BUFFER_WATER_MARK", new WriteBufferWaterMark(1, 2)),
            Map.entry("RCVBUF_ALLOCATOR", new AdaptiveRecvByteBufAllocator()),
            Map.entry("ALLOCATOR", new UnpooledByteBufAllocator(false)));

    private static final Map<String, Object> OF_SERVERS = Map.of(
            "SO_BACKLOG", 17,
            "SO_RCVBUF", 200_000,
            "SO_REUSEADDR", true,
            "TCP_FASTOPEN", 3);

    @Test
    void setOption_ofAClient_isKept() throws Exception {
        assertKept(new WeirSocketChannel(), OF_CLIENTS);
    }

    @Test
    void setOption_ofAServer_isKept() throws Exception {
        assertKept(new WeirServerSocketChannel(), OF_SERVERS);
    }

    @Test
    void document_tableOfOptions_namesThoseOfTheseTests() {
        Set<String> tested = new TreeSet<>(OF_CLIENTS.keySet());
        tested.addAll(OF_SERVERS.keySet());
        Set<String> documented = new TreeSet<>();
        Document.read("docs/NETTY.md")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .forEach(cell -> {
                    Matcher name = Pattern.compile("`([A-Z_]+)`").matcher(cell);
                    while (name.find()) {
                        documented.add(name.group(1));
                    }
                });
        assertEquals(documented, tested);
    }

    private static void assertKept(Channel channel, Map<String, Object> values) throws Exception {
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            @SuppressWarnings("unchecked") // the values have their options' types
            ChannelOption<Object> option = (ChannelOption<Object>)
                    ChannelOption.class.getField(entry.getKey()).get(null);
            assertTrue(channel.config().setOption(option, entry.getValue()), entry.getKey() + " is refused");
            assertEquals(entry.getValue(), channel.config().getOption(option), entry.getKey());
            assertTrue(channel.config().getOptions().containsKey(option), entry.getKey() + " is not told");
        }
    }
}
