package io.weir.transport.runtime;

import java.util.ServiceLoader;

/**
 * How a thread asks the machine's scheduler for what its loop needs, found by {@link ServiceLoader}: this module makes
 * no native calls.
 */
public interface ThreadTuning {
    /** What is used where no module on the class path can do it. */
    ThreadTuning NONE = new ThreadTuning() {
        @Override
        public void requirePossible(SchedulingConfig config) {
            // Nothing is known of the machine's CPUs here.
        }

        @Override
        public LoopScheduling tune(SchedulingConfig config) {
            return new LoopScheduling(
                    "scheduled as every thread: nothing on the class path asks for more (weir-nic-bridge does)", false);
        }

        @Override
        public boolean leaveCpu() {
            return false;
        }
    };

    /**
     * Refuses what no thread of this machine can have. Any thread, before anything is opened.
     *
     * @throws io.weir.transport.node.ConfigException with the value, the limit and the remedy
     */
    void requirePossible(SchedulingConfig config);

    /**
     * Asks for all of it for the calling thread, which must be the loop's own. It never fails: what is refused is in
     * the answer.
     *
     * @return what the thread got
     */
    LoopScheduling tune(SchedulingConfig config);

    /**
     * Moves the calling thread to another of the CPUs that it may run on. It stays free to run on all of them.
     *
     * @return whether it was moved: not where it may run on one only, or the kernel refuses
     */
    boolean leaveCpu();

    /** {@return the first that is on the class path, or {@link #NONE}} */
    static ThreadTuning find() {
        return ServiceLoader.load(ThreadTuning.class, ThreadTuning.class.getClassLoader())
                .findFirst()
                .orElse(NONE);
    }
}
