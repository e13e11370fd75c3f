package io.weir.nic.thread;

/**
 * The kernel's scheduling calls for the calling thread. Each returns minus the error number where the kernel refuses.
 */
interface SchedulerCalls {
    /** {@code SCHED_OTHER}. */
    int POLICY_ORDINARY = 0;

    /** {@code SCHED_RR}. */
    int POLICY_ROUND_ROBIN = 2;

    /** {@return the calling thread's policy} */
    int policy();

    /**
     * Asks for a slice in the ordinary class; the thread's nice value stays. Threads that it starts do not inherit the
     * slice.
     */
    int setSlice(long sliceNanos);

    /** Asks for the round-robin real-time class, which threads that it starts do not inherit. */
    int setRoundRobin(int priority);

    /** Keeps the thread, and those that it starts, on CPUs: bit i of the mask's 64-bit words is CPU i. */
    int setAffinity(long[] mask);

    /** Fills in the CPUs that the thread may run on, in the same form. */
    int affinity(long[] mask);

    /** {@return the CPU that the thread runs on} */
    int cpu();

    /** Lets the thread's sleeps end when they are due. */
    int setExactTimeouts();

    /** Sets the nice value of a thread of this process. */
    int setNice(int thread, int nice);
}
