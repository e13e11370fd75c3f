package io.weir.transport.lab;

import static io.weir.transport.lab.Change.calling;
import static io.weir.transport.lab.Change.withResult;
import static io.weir.transport.lab.Change.withoutCall;
import static io.weir.transport.lab.Change.withoutWrite;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Mistakes that no schedule of the laboratory shows, and the unit tests that find them. */
class UnitFaultsTest {
    private static final String HOST = "transport.host.";
    private static final String CREDIT = "transport.protocol.credit.";

    static Stream<FoundFault> faults() {
        return Stream.of(
                fault(
                        "loses frames in flight when their ring grows while it is wrapped",
                        "transport.flow.LossRecovery",
                        "unrolled",
                        withoutCall("arraycopy", 0, null),
                        "onSent_ringGrowsWhileItIsWrapped_everyFrameKeepsItsBytes"),
                fault(
                        "never forgets the tags of ended connections",
                        HOST + "EndedConnections",
                        "add",
                        withoutCall("remove", 0, false),
                        "add_moreThanAreRemembered_forgetsTheOldest"),
                fault(
                        "ends a connection as idle whose bytes this end sends",
                        HOST + "PeerWatch",
                        "settle",
                        withResult("sentOffset", 0L),
                        "idleTimeout_bytesOfThisEndAloneMove_isPostponed"),
                fault(
                        "does not tell a sender that the window has opened",
                        HOST + "StreamReceiver",
                        "onRead",
                        withoutWrite("isAckDue", 0),
                        "window_applicationReadsNothing_closesAndReopens"),
                fault(
                        "lets frames leave by their length, not by what they occupy on the link",
                        HOST + "HostLink",
                        "start",
                        calling("wireBytes", 1, "length"),
                        HOST + "HostEgressTest",
                        "pollTransmit_manyFrames_leaveAtTheRateOfTheLink"),
                fault(
                        "counts a credit that waits by its length",
                        CREDIT + "CreditQueue",
                        "weightBytes",
                        calling("wireBytes", 0, "length"),
                        "offer_queueInBytes_countsLongCredits"),
                fault(
                        "forgives what a bucket owes when the rate changes",
                        "pacer.TokenBucket",
                        "setRateBps",
                        withoutWrite("fillNanos", 0),
                        "transport.protocol.credit.CreditQueueTest",
                        "setRateBps_meterInDebt_paysAtTheNewRate"),
                fault(
                        "wakes no loop that gets two frames of one poll",
                        "transport.runtime.SteeredPort",
                        "handOver",
                        UnitFaultsTest::toggleWake,
                        "pollReceive_anyNumberOfFramesForOtherLoops_wakesEachOfThemOnce"));
    }

    private static FoundFault fault(String what, String type, String method, Change change, String testMethod) {
        return fault(what, type, method, change, type + "Test", testMethod);
    }

    private static FoundFault fault(
            String what, String type, String method, Change change, String test, String testMethod) {
        return new FoundFault(PlantedFault.ofUnit(what, type, method, change), test, testMethod);
    }

    /** Each frame for a loop changes whether it is to be woken. */
    private static void toggleWake(MethodNode method) {
        for (AbstractInsnNode node : method.instructions) {
            if (node.getOpcode() == Opcodes.BASTORE) {
                InsnList code = new InsnList();
                // Array, index, true: becomes array, index, not what is there.
                code.add(new InsnNode(Opcodes.POP));
                code.add(new InsnNode(Opcodes.DUP2));
                code.add(new InsnNode(Opcodes.BALOAD));
                code.add(new InsnNode(Opcodes.ICONST_1));
                code.add(new InsnNode(Opcodes.IXOR));
                method.instructions.insertBefore(node, code);
                return;
            }
        }
        throw new IllegalArgumentException(method.name + " marks no loop");
    }

    @ParameterizedTest
    @MethodSource("faults")
    void run_plantedFault_failsItsTest(FoundFault fault) throws ReflectiveOperationException {
        fault.requireFound();
    }
}
