package io.weir.nic.net;

import io.weir.nic.NicException;
import io.weir.nic.ffi.NativeMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;

/** The features of a device that can be on or off, by the kernel's names for them, as in {@code rx-lro}. */
public final class DeviceFeatures {
    private static final int GET_STRINGS = 0x1B;
    private static final int GET_STRING_COUNT = 0x37;
    private static final int GET_FEATURES = 0x3A;
    private static final int SET_FEATURES = 0x3B;

    private static final int FEATURE_STRINGS = 4;
    private static final int STRING_BYTES = 32;
    private static final int NAMES_OFFSET = 3 * Integer.BYTES;
    private static final int FEATURES_MAX = 512;
    private static final int HEADER_BYTES = 8;
    /** Of 32 features: which are available, asked for, on, and never changed. */
    private static final int STATE_BYTES = 16;

    private static final int STATE_ON_OFFSET = 8;
    /** Of 32 features: which are to be changed, and to what. */
    private static final int CHANGE_BYTES = 8;

    private DeviceFeatures() {}

    /** {@return the features that are on, of an interface of the calling thread's namespace; empty if unknown} */
    public static Set<String> on(String interfaceName) throws NicException {
        Set<String> on = new TreeSet<>();
        List<String> names = names(interfaceName);
        int blockCount = blocks(names.size());
        UnsafeBuffer states = Ethtool.command(GET_FEATURES, HEADER_BYTES + blockCount * STATE_BYTES);
        states.putInt(4, blockCount);
        if (names.isEmpty() || Ethtool.call(interfaceName, states) < 0) {
            return on;
        }
        for (int i = 0; i < names.size(); i++) {
            int block = HEADER_BYTES + i / Integer.SIZE * STATE_BYTES;
            if ((states.getInt(block + STATE_ON_OFFSET) >>> (i % Integer.SIZE) & 1) != 0) {
                on.add(names.get(i));
            }
        }
        return on;
    }

    /**
     * Turns a feature on or off. A device may reset itself for it, and its link go for seconds.
     *
     * @return whether it is as wanted now; a driver may not let it be changed
     * @throws NicException if the kernel refuses
     */
    public static boolean set(String interfaceName, String feature, boolean isOn) throws NicException {
        List<String> names = names(interfaceName);
        int index = names.indexOf(feature);
        if (index < 0) {
            return !isOn;
        }
        int blockCount = blocks(names.size());
        UnsafeBuffer change = Ethtool.command(SET_FEATURES, HEADER_BYTES + blockCount * CHANGE_BYTES);
        change.putInt(4, blockCount);
        int block = HEADER_BYTES + index / Integer.SIZE * CHANGE_BYTES;
        int bit = 1 << index % Integer.SIZE;
        change.putInt(block, bit);
        change.putInt(block + Integer.BYTES, isOn ? bit : 0);
        int result = Ethtool.call(interfaceName, change);
        if (result < 0) {
            throw new NicException(
                    -result,
                    "turn " + feature + " of " + interfaceName + (isOn ? " on" : " off"),
                    "needs CAP_NET_ADMIN; by hand: ethtool -K " + interfaceName + " " + feature
                            + (isOn ? " on" : " off"));
        }
        return on(interfaceName).contains(feature) == isOn;
    }

    private static int blocks(int featureCount) {
        return (featureCount + Integer.SIZE - 1) / Integer.SIZE;
    }

    /** {@return the names in the order of their bits; none where the kernel does not tell} */
    private static List<String> names(String interfaceName) throws NicException {
        List<String> found = new ArrayList<>();
        UnsafeBuffer counts = Ethtool.command(GET_STRING_COUNT, 2 * HEADER_BYTES + Integer.BYTES);
        counts.putLong(HEADER_BYTES, 1L << FEATURE_STRINGS);
        if (Ethtool.call(interfaceName, counts) < 0 || counts.getLong(HEADER_BYTES) == 0) {
            return found;
        }
        int count = Math.min(FEATURES_MAX, Math.max(0, counts.getInt(2 * HEADER_BYTES)));
        UnsafeBuffer names = Ethtool.command(GET_STRINGS, NAMES_OFFSET + count * STRING_BYTES);
        names.putInt(4, FEATURE_STRINGS);
        names.putInt(8, count);
        if (Ethtool.call(interfaceName, names) < 0) {
            return found;
        }
        for (int i = 0; i < count; i++) {
            found.add(NativeMemory.textAt(names, NAMES_OFFSET + i * STRING_BYTES, STRING_BYTES));
        }
        return found;
    }
}
