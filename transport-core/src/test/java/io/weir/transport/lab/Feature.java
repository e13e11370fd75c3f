package io.weir.transport.lab;

/** What can go wrong in a schedule. Each is in it or not by the toss of a coin, so that schedules differ in kind. */
enum Feature {
    /** Frames vanish, each by itself. */
    LOSS,
    /** Frames vanish in bursts. */
    BURSTS,
    /** Frames arrive twice. */
    DUPLICATES,
    /** Frames come again long after they passed. */
    REPLAY,
    /** Bytes of frames change. */
    CORRUPTION,
    /** Frames overtake each other. */
    REORDERING,
    /** A way is longer for a while. */
    DELAY,
    /** A host is cut off for a while, both ways. */
    PARTITION,
    /** A host receives nothing, or none of its frames arrive, for a while. */
    ONE_WAY_CUT,
    /** A link goes up and down. */
    FLAPPING,
    /** Hosts lose their core. */
    PAUSES,
    /** A host crashes and comes back with the same address. */
    CRASH,
    /** Somebody keeps nearly all frames for a while. */
    POOL_EXHAUSTION,
    /** Applications read nothing for a while, or little at a time. */
    SLOW_READERS,
    /** An application gives up in the middle. */
    ABORT,
    /** A host takes very few half-open connections. */
    SMALL_BACKLOG
}
