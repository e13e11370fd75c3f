package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which driver's native mode is not tried; that it works so is in docs/PLATFORMS.md's table. */
class UnsafeNativeTest {
    @Test
    void problem_vmxnet3_saysWhyAndHowToTryIt() {
        assertEquals(
                "native is not tried: driver vmxnet3 forgets the program when the interface goes down or its MTU"
                        + " changes; mode native tries it",
                UnsafeNative.problem("vmxnet3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"veth", "virtio_net", "ice", ""})
    void problem_others_isNone(String driver) {
        assertNull(UnsafeNative.problem(driver));
    }
}
