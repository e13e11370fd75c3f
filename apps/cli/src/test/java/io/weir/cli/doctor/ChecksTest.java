package io.weir.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.bpf.LoadedProgram;
import io.weir.transport.runtime.CpuSet;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that each misconfiguration of a machine is found by its name, and that a machine without any has none. */
class ChecksTest {
    @TempDir
    private Path root;

    private List<Finding> found(Consumer<FakeMachine> change) {
        FakeMachine machine = new FakeMachine(root);
        change.accept(machine);
        return Checks.run(machine.view());
    }

    private List<FindingKind> kinds(Consumer<FakeMachine> change) {
        return found(change).stream().map(Finding::kind).toList();
    }

    @Test
    void run_machineWithoutFault_findsNothing() {
        assertEquals(List.of(), found(machine -> {}));
        assertEquals(List.of(), found(machine -> machine.hasDevice = false));
    }

    @Test
    void run_nothingThatTells_findsNothingOfIt() {
        FakeMachine machine = new FakeMachine(root.resolve("full"));
        MachineView view = machine.view();
        MachineView empty = new MachineView(
                new HostFiles(root.resolve("empty")), view.java(), Optional.empty(), Firewall.NONE, CpuSet.ANY);
        assertEquals(
                List.of(FindingKind.CAPABILITIES_MISSING),
                Checks.run(empty).stream().map(Finding::kind).toList());
    }

    @ParameterizedTest
    @EnumSource(FindingKind.class)
    void run_oneMisconfiguration_isTheOnlyFinding(FindingKind kind) {
        List<Finding> found = found(Misconfigurations.all().get(kind));
        assertEquals(List.of(kind), found.stream().map(Finding::kind).toList());
        assertFalse(found.get(0).what().isBlank());
        assertFalse(found.get(0).remedy().isBlank());
    }

    @Test
    void all_everyKind_isSeeded() {
        assertEquals(EnumSet.allOf(FindingKind.class), Misconfigurations.all().keySet());
    }

    @Test
    void run_several_haveTheWorstFirst() {
        assertEquals(List.of(FindingKind.LINK_DOWN, FindingKind.OFFLOAD_LRO, FindingKind.XDP_COPIES), kinds(machine -> {
            machine.hasZeroCopy = false;
            machine.features.add("rx-lro");
            machine.isUp = false;
        }));
    }

    @Test
    void features_driverWithKnownHarm_saysWhatPortsDoAboutIt() {
        Finding copies = found(machine -> machine.driver = "ena").get(0);
        assertEquals(FindingKind.XDP_COPIES, copies.kind());
        assertTrue(copies.what().contains("zero-copy is not tried: with driver ena"), copies.what());
        Finding generic = found(machine -> machine.driver = "vmxnet3").get(0);
        assertTrue(generic.what().contains("native is not tried"), generic.what());
        assertEquals(List.of(), kinds(machine -> machine.driver = "igb"));
    }

    @Test
    void program_ofWeir_isNoFinding() {
        assertEquals(
                List.of(), kinds(machine -> machine.program = new LoadedProgram(7, "weir_host", Optional.empty())));
    }

    @Test
    void program_thatNobodyHolds_isTakenOffByACommand() {
        Finding finding = found(machine -> machine.program = new LoadedProgram(7, "", Optional.empty()))
                .get(0);
        assertEquals("ip link set dev eth0 xdp off; ip link set dev eth0 xdpgeneric off", finding.remedy());
    }

    @Test
    void rights_missingButABrokerServes_isNoFinding() {
        assertEquals(List.of(), kinds(machine -> {
            machine.capabilities("0000000000000000");
            machine.file("run/weir/eth0.sock", "");
            machine.file(
                    "proc/thread-self/net/unix",
                    "0000000050f0777e: 00000002 00000000 00010000 0005 01 14510870 /run/weir/eth0.sock");
        }));
    }

    @Test
    void memlock_enoughWithoutTheCapability_isNoFinding() {
        for (String limit : List.of("67108864", "unlimited")) {
            assertEquals(List.of(), kinds(machine -> {
                machine.capabilities("000001ffffffbfff");
                machine.lockedBytes(limit);
            }));
        }
    }

    @Test
    void cpus_chosen_areThoseThatAreLookedAt() {
        assertEquals(List.of(), kinds(machine -> {
            machine.chosenCpus = CpuSet.parse("2");
            machine.file(FakeMachine.CPUS + "cpu3/cpufreq/scaling_governor", "powersave");
            machine.file("proc/irq/60/effective_affinity_list", "3");
        }));
        assertEquals(List.of(FindingKind.CPU_NOT_ISOLATED), kinds(machine -> {
            machine.chosenCpus = CpuSet.parse("1");
            machine.file("proc/irq/60/effective_affinity_list", "3");
        }));
    }

    @Test
    void remedy_ofAnInterfaceWithSignsOfShells_isQuoted() {
        Finding finding = found(machine -> {
                    machine.name = "a;reboot";
                    machine.isUp = false;
                })
                .get(0);
        assertEquals("ip link set 'a;reboot' up", finding.remedy());
    }

    @Test
    void interrupts_onLoopCpu_moveToTheOthers() {
        Finding finding =
                found(Misconfigurations.all().get(FindingKind.IRQ_ON_LOOP_CPU)).get(0);
        assertTrue(finding.remedy().endsWith("> /proc/irq/60/smp_affinity_list"), finding.remedy());
        assertTrue(finding.remedy().startsWith("echo 0-1,4-7 "), finding.remedy());
    }
}
