package io.weir.transport.threads;

import io.weir.transport.lab.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Changes of a method's code that matter to a second thread only. */
public final class Slip {
    private Slip() {}

    /** The line with call {@code moved} comes before the one with call {@code other}: the last of each name. */
    static Change movedBefore(String moved, String other) {
        return method -> {
            List<AbstractInsnNode> line = lineOf(method, isCall(moved));
            AbstractInsnNode target = lineOf(method, isCall(other)).get(0);
            InsnList code = new InsnList();
            for (AbstractInsnNode node : line) {
                method.instructions.remove(node);
                code.add(node);
            }
            method.instructions.insertBefore(target, code);
        };
    }

    /** What is written to a field is the opposite of what is there, if it is written at all. */
    static Change toggled(String field) {
        return method -> {
            FieldInsnNode write = (FieldInsnNode) find(method, node -> isField(node, Opcodes.PUTFIELD, field));
            InsnList code = new InsnList();
            code.add(new InsnNode(Opcodes.POP));
            code.add(new VarInsnNode(Opcodes.ALOAD, 0));
            code.add(new FieldInsnNode(Opcodes.GETFIELD, write.owner, write.name, write.desc));
            code.add(new InsnNode(Opcodes.ICONST_1));
            code.add(new InsnNode(Opcodes.IXOR));
            method.instructions.insertBefore(write, code);
        };
    }

    /** An atomic's {@code name} becomes a look and a write, between which another thread may come. */
    static Change torn(String name) {
        return method -> {
            MethodInsnNode call = (MethodInsnNode) find(method, isCall(name));
            call.desc = "(L" + call.owner + ";" + call.desc.substring(1);
            call.owner = Type.getInternalName(Slip.class);
            call.setOpcode(Opcodes.INVOKESTATIC);
        };
    }

    /** The atomic is read, and then set. */
    public static int getAndSet(AtomicInteger atomic, int value) {
        int before = atomic.get();
        TurnCalls.point("slip");
        atomic.set(value);
        return before;
    }

    /** The atomic is compared, and then set. */
    public static boolean compareAndSet(AtomicInteger atomic, int expected, int value) {
        if (atomic.get() != expected) {
            return false;
        }
        TurnCalls.point("slip");
        atomic.set(value);
        return true;
    }

    /** The atomic is compared, and then set. */
    public static boolean compareAndSet(AtomicLong atomic, long expected, long value) {
        if (atomic.get() != expected) {
            return false;
        }
        TurnCalls.point("slip");
        atomic.set(value);
        return true;
    }

    /** The reference is compared, and then set. */
    public static boolean compareAndSet(
            java.util.concurrent.atomic.AtomicReference<Object> atomic, Object expected, Object value) {
        if (atomic.get() != expected) {
            return false;
        }
        TurnCalls.point("slip");
        atomic.set(value);
        return true;
    }

    /** {@return the lower of both, so that chunks get no number of changes} */
    static Change withoutCount() {
        return method -> {
            AbstractInsnNode add = find(method, node -> node.getOpcode() == Opcodes.LADD);
            method.instructions.set(add, new InsnNode(Opcodes.POP2));
        };
    }

    private static Predicate<AbstractInsnNode> isCall(String name) {
        return node -> node instanceof MethodInsnNode call && call.name.equals(name);
    }

    private static boolean isField(AbstractInsnNode node, int opcode, String field) {
        return node.getOpcode() == opcode && ((FieldInsnNode) node).name.equals(field);
    }

    /** {@return the last instruction that is wanted} */
    private static AbstractInsnNode find(MethodNode method, Predicate<AbstractInsnNode> wanted) {
        AbstractInsnNode found = null;
        for (AbstractInsnNode node : method.instructions) {
            found = wanted.test(node) ? node : found;
        }
        return Objects.requireNonNull(found, method.name + " has nothing of the kind that is to be changed");
    }

    /** {@return the instructions of the source line with what is wanted, which is a whole statement} */
    private static List<AbstractInsnNode> lineOf(MethodNode method, Predicate<AbstractInsnNode> wanted) {
        AbstractInsnNode found = find(method, wanted);
        AbstractInsnNode first = found;
        while (!(first instanceof LineNumberNode)) {
            first = first.getPrevious();
        }
        List<AbstractInsnNode> line = new ArrayList<>();
        for (AbstractInsnNode node = first.getNext(); node != null; node = node.getNext()) {
            if (node.getOpcode() >= 0) {
                line.add(node);
            } else if (!line.isEmpty()) {
                // The label of the next line stays where it is: jumps lead there.
                return line;
            }
        }
        return line;
    }
}
