package io.weir.nic;

import static io.weir.transport.lab.Change.withoutCall;

import io.weir.transport.lab.Change;
import io.weir.transport.lab.FoundFault;
import io.weir.transport.lab.PlantedFault;
import java.util.function.Function;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Mistakes in rings and what drives them, and the unit tests that find them. */
@EnabledOnOs(OS.LINUX)
class RingFaultsTest {
    private static final String XDP = "nic.xdp.";
    private static final String BROKER = "nic.broker.";
    private static final String TURNS = BROKER + "MemberTurns";
    private static final int READ_AT = 128;
    private static final int WRITTEN_AT = 0;

    static Stream<FoundFault> faults() {
        return Stream.of(ofXdp(), ofBrokers(), ofTurns()).flatMap(Function.identity());
    }

    private static Stream<FoundFault> ofXdp() {
        return Stream.of(
                fault(
                        "gives back the entries of a poll only if a frame was whole",
                        XDP + "XskQueue",
                        "receive",
                        RingFaultsTest::releaseForFramesOnly,
                        XDP + "XskQueueTest",
                        "receive_frameThatDoesNotEnd_givesItsEntriesAndSlotsBack"),
                fault(
                        "keeps the slots of pieces that it has gathered",
                        XDP + "Gatherer",
                        "append",
                        withoutCall("release", 0, null),
                        XDP + "XskQueueTest",
                        "receive_frameThatDoesNotEnd_givesItsEntriesAndSlotsBack"),
                fault(
                        "keeps the beginning of a frame that is too long",
                        XDP + "Gatherer",
                        "append",
                        withoutCall("close", 0, null),
                        XDP + "GathererTest",
                        "add_moreThanASlotHolds_isDroppedToItsEndAndCounted"),
                fault(
                        "keeps what was received of a frame whose rest does not come",
                        XDP + "XskQueue",
                        "close",
                        withoutCall("close", 1, null),
                        XDP + "XskQueueTest",
                        "close_frameHasBegun_givesItsSlotBack"),
                fault(
                        "takes a frame for sent when its first piece is",
                        XDP + "XskQueue",
                        "reclaim",
                        Change.withResult("hasLast", true),
                        XDP + "XskQueueTest",
                        "transmit_frameInPieces_isFreeWhenTheLastIsCompleted"));
    }

    private static Stream<FoundFault> ofBrokers() {
        return Stream.of(
                fault(
                        "returns a slot before it is copied",
                        BROKER + "RingReader",
                        "readInto",
                        method -> publishFirst(method, BROKER + "RingReader", "read", READ_AT),
                        BROKER + "RingReaderTest",
                        "readInto_slotIsWrittenAgainAtOnce_frameIsWhole"),
                fault(
                        "publishes a frame before it is copied",
                        BROKER + "RingWriter",
                        "offer",
                        method -> publishFirst(method, BROKER + "RingWriter", "written", WRITTEN_AT),
                        BROKER + "RingReaderTest",
                        "offer_slotIsReadAtOnce_frameIsWhole"),
                fault(
                        "rings for no more than one frame",
                        BROKER + "RegionPort",
                        "transmit",
                        RingFaultsTest::toggleSent,
                        BROKER + "RegionPortTest",
                        "flush_anyNumberOfFramesForAReaderThatSleeps_ringsOnce"),
                fault(
                        "counts on a bell that it has heard",
                        BROKER + "RingReader",
                        "onBell",
                        Change.returns(null),
                        BROKER + "RegionPortTest",
                        "requestWake_afterABellWasHeard_asksOnceMore"),
                fault(
                        "lets the other side ring while it is awake",
                        BROKER + "RingReader",
                        "isToCancel",
                        Change.returns(false),
                        BROKER + "RegionPortTest",
                        "cancelWake_framesCameBetweenTwoSleeps_theOtherSideDoesNotRing"));
    }

    private static Stream<FoundFault> ofTurns() {
        return Stream.of(
                fault(
                        "looks at no quiet client while others send",
                        TURNS,
                        "poll",
                        withoutCall("lookAtQuiet", 0, false),
                        TURNS + "Test",
                        "poll_quietClientNextToOneThatNeverStops_isFoundWhileItGoesOn"),
                fault(
                        "looks at few quiet clients although nothing else is to do",
                        TURNS,
                        "poll",
                        Change.jump(1, false),
                        TURNS + "Test",
                        "poll_quietClientInACycleWithoutFrames_isFoundAtOnce"),
                fault(
                        "takes a client that is given something for one that got it before",
                        BROKER + "Member",
                        "flush",
                        Change.withoutWrite("isGiven", 0),
                        TURNS + "Test",
                        "flush_givenInEachCycle_wakesEachTime"),
                fault(
                        "keeps the turn of a client that has become quiet",
                        TURNS,
                        "rest",
                        Change.withoutWrite("turn", 0),
                        TURNS + "Test",
                        "flush_clientWithTheTurnBecomesQuiet_theOtherGoesOn"));
    }

    private static FoundFault fault(
            String what, String type, String method, Change change, String test, String testMethod) {
        return new FoundFault(PlantedFault.ofUnit(what, type, method, change), test, testMethod);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void run_plantedFault_failsItsTest(FoundFault fault) throws ReflectiveOperationException {
        fault.requireFound();
    }

    /** The frames that were handed over are counted in the place of the entries that were taken. */
    private static void releaseForFramesOnly(MethodNode method) {
        VarInsnNode latest = null;
        int handedOver = -1;
        for (AbstractInsnNode node : method.instructions) {
            if (node.getOpcode() == Opcodes.IINC && handedOver < 0) {
                handedOver = ((IincInsnNode) node).var;
            }
            if (node.getOpcode() == Opcodes.ILOAD) {
                latest = (VarInsnNode) node;
            }
            if (node instanceof MethodInsnNode call && call.name.equals("release")) {
                latest.var = handedOver;
                return;
            }
        }
        throw new IllegalArgumentException(method.name + " gives nothing back");
    }

    /** The counter in the ring is raised first of all, too. */
    static void publishFirst(MethodNode method, String type, String counter, int counterAt) {
        String owner = "io/weir/" + type.replace('.', '/');
        String ring = Type.getInternalName(UnsafeBuffer.class);
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, owner, "ring", "L" + ring + ";"));
        code.add(new LdcInsnNode(counterAt));
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, owner, counter, "J"));
        code.add(new InsnNode(Opcodes.LCONST_1));
        code.add(new InsnNode(Opcodes.LADD));
        code.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, ring, "putLongRelease", "(IJ)V"));
        method.instructions.insert(code);
    }

    /** Each frame changes whether the other side is to be woken. */
    private static void toggleSent(MethodNode method) {
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof FieldInsnNode write
                    && write.getOpcode() == Opcodes.PUTFIELD
                    && write.name.equals("hasSent")) {
                InsnList code = new InsnList();
                // The port, true: becomes the port, not what is there.
                code.add(new InsnNode(Opcodes.POP));
                code.add(new InsnNode(Opcodes.DUP));
                code.add(new FieldInsnNode(Opcodes.GETFIELD, write.owner, write.name, write.desc));
                code.add(new InsnNode(Opcodes.ICONST_1));
                code.add(new InsnNode(Opcodes.IXOR));
                method.instructions.insertBefore(node, code);
                return;
            }
        }
        throw new IllegalArgumentException(method.name + " notes nothing");
    }
}
