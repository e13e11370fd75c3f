package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.NodeBinding;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests {@link Bystander}. */
class BystanderTest {
    private final FramePool pool = new FramePool(64, 2048);

    private List<NodeBinding> all() {
        return Stream.of(Bystander.pair(pool), Bystander.onTheirOwn(pool))
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void bindings_nodesAndPorts_areOfTwoClassesEach() {
        List<NodeBinding> bindings = all();

        assertEquals(
                2, classesOf(bindings.stream().map(NodeBinding::node).toList()).size());
        assertEquals(
                2,
                classesOf(bindings.stream()
                                .map(binding -> binding.ports().get(0))
                                .filter(port -> port instanceof Bystander)
                                .toList())
                        .size());
        bindings.forEach(binding -> binding.ports().forEach(NetPort::close));
    }

    private static Set<Class<?>> classesOf(List<?> objects) {
        return objects.stream().map(Object::getClass).collect(Collectors.toSet());
    }

    @Test
    void runOnce_manyCycles_keepsPassingItsFramesAndGivesThemBack() {
        List<NodeBinding> bindings = all();
        int inUse = pool.frameCount() - pool.available();
        long[] now = {0};
        EventLoop loop = EventLoop.invokedBy(() -> now[0] += 1_000, "bystanders", bindings, () -> {});
        loop.start();

        for (int i = 0; i < 1_000; i++) {
            assertTrue(loop.runOnce() > 0, "some frame moves in each cycle");
        }

        assertTrue(inUse > 0);
        loop.close();
        assertTrue(pool.available() >= pool.frameCount() - inUse, "more frames are held than at the beginning");
    }

    @Test
    void onFrame_nodeTakesFrame_egressGivesIt() {
        Node node = Bystander.pair(pool).get(1).node();
        var frame = pool.allocate();

        node.onFrame(0, frame, 0);

        assertEquals(frame, node.egress(0).pollTransmit(0));
    }
}
