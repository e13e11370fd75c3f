package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.MemoryLink;

/** Rings between two sides of one process. */
final class RegionPairs {
    static final PortInfo INFO = MemoryLink.info("test", 0, 1500, 0);
    private static final RegionLayout LAYOUT = new RegionLayout(16, 1514);

    private RegionPairs() {}

    /** {@return both sides of a new region} */
    static RegionPort[] open(FramePool pool) throws NicException {
        int memory = SharedRegion.create(LAYOUT);
        int[] bells = Bell.pair();
        RegionPort[] sides = new RegionPort[2];
        for (int side = 0; side < 2; side++) {
            sides[side] = new RegionPort(INFO, pool, SharedRegion.map(LAYOUT, memory), new Bell(bells[side]), side);
        }
        Libc.close(memory);
        return sides;
    }
}
