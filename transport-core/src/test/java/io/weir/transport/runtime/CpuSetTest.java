package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link CpuSet}. */
class CpuSetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|0", "0,2-3|0,2-3", "3,2,0|0,2-3", " 1 , 0 |0-1", "0-1,1-2,2|0-2", "5-5|5", "1023|1023"})
    void parse_listOfCpus_printsAsTheKernelWritesIt(String list, String expected) {
        assertEquals(expected, CpuSet.parse(list).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0,", ",", "-1", "1-", "3-2", "0-1024", "99999", "0x1", "0 1", "1--2"})
    void parse_notAList_isRefusedWithTheRemedy(String list) {
        ConfigException refused = assertThrows(ConfigException.class, () -> CpuSet.parse(list));
        assertTrue(refused.getMessage().startsWith("cpus=" + list), refused.getMessage());
        assertTrue(refused.getMessage().endsWith("write CPUs as in 0,2-3"), refused.getMessage());
    }

    @Test
    void parse_empty_isAny() {
        assertEquals(CpuSet.ANY, CpuSet.parse(" "));
        assertEquals("", CpuSet.ANY.toString());
    }

    @Test
    void new_numberThatNoMachineHas_isRefused() {
        assertThrows(ConfigException.class, () -> new CpuSet(List.of(0, -1)));
        assertThrows(ConfigException.class, () -> new CpuSet(List.of(CpuSet.INDEX_MAX + 1)));
    }

    @Test
    void and_setsThatOverlap_isWhatBothHave() {
        assertEquals(CpuSet.parse("2-3"), CpuSet.parse("0,2-3").and(CpuSet.parse("1-9")));
        assertTrue(CpuSet.parse("0").and(CpuSet.parse("1")).isAny());
    }
}
