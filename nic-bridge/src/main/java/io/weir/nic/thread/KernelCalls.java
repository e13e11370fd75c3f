package io.weir.nic.thread;

import io.weir.nic.Errno;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import org.agrona.concurrent.UnsafeBuffer;

/** The calls as the C library makes them. Offsets are those of {@code struct sched_attr} in linux/sched/types.h. */
final class KernelCalls implements SchedulerCalls {
    private static final int SIZE_OFFSET = 0;
    private static final int POLICY_OFFSET = 4;
    private static final int FLAGS_OFFSET = 8;
    private static final int NICE_OFFSET = 16;
    private static final int PRIORITY_OFFSET = 20;
    private static final int RUNTIME_OFFSET = 24;
    /** The structure's first version: what every kernel that has the call takes. */
    private static final int ATTRIBUTES_BYTES = 48;

    /** SCHED_FLAG_RESET_ON_FORK. */
    private static final long RESET_ON_FORK = 1;

    KernelCalls() {}

    private static UnsafeBuffer newAttributes() {
        return NativeMemory.allocate(ATTRIBUTES_BYTES);
    }

    @Override
    public int policy() {
        UnsafeBuffer attributes = newAttributes();
        int result = Libc.schedGetAttributes(0, attributes);
        return result < 0 ? result : attributes.getInt(POLICY_OFFSET);
    }

    @Override
    public int setSlice(long sliceNanos) {
        UnsafeBuffer attributes = newAttributes();
        int result = Libc.schedGetAttributes(0, attributes);
        if (result < 0) {
            return result;
        }
        UnsafeBuffer wanted = newAttributes();
        wanted.putInt(NICE_OFFSET, attributes.getInt(NICE_OFFSET));
        wanted.putLong(RUNTIME_OFFSET, sliceNanos);
        result = set(wanted, POLICY_ORDINARY);
        if (result < 0) {
            return result;
        }
        // Kernels before 6.12 take the call and ignore the slice.
        result = Libc.schedGetAttributes(0, attributes);
        return result < 0 || attributes.getLong(RUNTIME_OFFSET) == sliceNanos ? result : -Errno.ENOSYS.number();
    }

    @Override
    public int setRoundRobin(int priority) {
        UnsafeBuffer wanted = newAttributes();
        wanted.putInt(PRIORITY_OFFSET, priority);
        return set(wanted, POLICY_ROUND_ROBIN);
    }

    private static int set(UnsafeBuffer attributes, int policy) {
        attributes.putInt(SIZE_OFFSET, ATTRIBUTES_BYTES);
        attributes.putInt(POLICY_OFFSET, policy);
        attributes.putLong(FLAGS_OFFSET, RESET_ON_FORK);
        return Libc.schedSetAttributes(attributes);
    }

    @Override
    public int setAffinity(long[] mask) {
        UnsafeBuffer bits = NativeMemory.allocate(mask.length * Long.BYTES);
        for (int i = 0; i < mask.length; i++) {
            bits.putLong(i * Long.BYTES, mask[i]);
        }
        return Libc.setAffinity(bits);
    }

    @Override
    public int affinity(long[] mask) {
        UnsafeBuffer bits = NativeMemory.allocate(mask.length * Long.BYTES);
        int result = Libc.affinity(bits);
        for (int i = 0; i < mask.length; i++) {
            mask[i] = bits.getLong(i * Long.BYTES);
        }
        return result;
    }

    @Override
    public int cpu() {
        return Libc.cpu();
    }

    @Override
    public int setExactTimeouts() {
        return Libc.setExactTimeouts();
    }

    @Override
    public int setNice(int thread, int nice) {
        return Libc.setNice(thread, nice);
    }
}
