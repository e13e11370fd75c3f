package io.weir.transport.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A small change of a method's code, such as a programmer's slip makes. It leaves the stack and the jumps' targets
 * alone.
 */
@FunctionalInterface
public interface Change {
    /** Changes a method, or throws if there is nothing of the kind in it. */
    void apply(MethodNode method);

    /** The method does nothing and returns {@code value}: a Boolean, an Integer, a Long, or null for none. */
    static Change returns(Object value) {
        return method -> {
            InsnList code = new InsnList();
            Type type = Type.getReturnType(method.desc);
            if (type.getSort() != Type.VOID) {
                code.add(push(type, value));
            }
            code.add(new InsnNode(type.getOpcode(Opcodes.IRETURN)));
            method.instructions = code;
            method.tryCatchBlocks.clear();
            method.localVariables.clear();
        };
    }

    /** Call number {@code index} of a method of that name is left out; it gives {@code value}. */
    static Change withoutCall(String name, int index, Object value) {
        return method -> {
            MethodInsnNode call = (MethodInsnNode) find(method, node -> isCall(node, name), index);
            InsnList code = new InsnList();
            Type[] arguments = Type.getArgumentTypes(call.desc);
            for (int i = arguments.length - 1; i >= 0; i--) {
                code.add(new InsnNode(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
            }
            if (call.getOpcode() != Opcodes.INVOKESTATIC) {
                code.add(new InsnNode(Opcodes.POP));
            }
            Type type = Type.getReturnType(call.desc);
            if (type.getSort() != Type.VOID) {
                code.add(push(type, value));
            }
            replace(method, call, code);
        };
    }

    /** What the call of a method of that name gives is forgotten: {@code value} takes its place. */
    static Change withResult(String name, Object value) {
        return method -> {
            MethodInsnNode call = (MethodInsnNode) find(method, node -> isCall(node, name), 0);
            Type type = Type.getReturnType(call.desc);
            InsnList code = new InsnList();
            code.add(new InsnNode(type.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
            code.add(push(type, value));
            method.instructions.insert(call, code);
        };
    }

    /** Another method with the same arguments is called. */
    static Change calling(String name, int index, String other) {
        return method -> ((MethodInsnNode) find(method, node -> isCall(node, name), index)).name = other;
    }

    /** Assignment number {@code index} to a field is left out. */
    static Change withoutWrite(String field, int index) {
        return method -> {
            FieldInsnNode write = (FieldInsnNode) find(
                    method,
                    node -> node.getOpcode() == Opcodes.PUTFIELD && ((FieldInsnNode) node).name.equals(field),
                    index);
            InsnList code = new InsnList();
            code.add(new InsnNode(Type.getType(write.desc).getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
            code.add(new InsnNode(Opcodes.POP));
            replace(method, write, code);
        };
    }

    /** An instruction without operands becomes another one. */
    static Change opcode(int from, int index, int to) {
        return method ->
                method.instructions.set(find(method, node -> node.getOpcode() == from, index), new InsnNode(to));
    }

    /** A constant becomes another one. */
    static Change constant(long from, int index, Object to) {
        return method -> {
            AbstractInsnNode node = find(method, candidate -> isConstant(candidate, from), index);
            Type type = to instanceof Long ? Type.LONG_TYPE : Type.INT_TYPE;
            method.instructions.set(node, push(type, to));
        };
    }

    /** The condition number {@code index} is taken for the one that jumps, or for the one that does not. */
    static Change jump(int index, boolean isTaken) {
        return method -> {
            JumpInsnNode jump = (JumpInsnNode)
                    find(method, node -> node instanceof JumpInsnNode && node.getOpcode() != Opcodes.GOTO, index);
            boolean hasTwo = jump.getOpcode() >= Opcodes.IF_ICMPEQ && jump.getOpcode() <= Opcodes.IF_ACMPNE;
            InsnList code = new InsnList();
            code.add(new InsnNode(hasTwo ? Opcodes.POP2 : Opcodes.POP));
            if (isTaken) {
                code.add(new InsnNode(Opcodes.ICONST_0));
                code.add(new JumpInsnNode(Opcodes.IFEQ, jump.label));
            }
            replace(method, jump, code);
        };
    }

    private static void replace(MethodNode method, AbstractInsnNode node, InsnList code) {
        method.instructions.insert(node, code);
        method.instructions.remove(node);
    }

    private static boolean isCall(AbstractInsnNode node, String name) {
        return node instanceof MethodInsnNode call && call.name.equals(name);
    }

    private static boolean isConstant(AbstractInsnNode node, long value) {
        int opcode = node.getOpcode();
        if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
            return opcode - Opcodes.ICONST_0 == value;
        }
        if (opcode == Opcodes.LCONST_0 || opcode == Opcodes.LCONST_1) {
            return opcode - Opcodes.LCONST_0 == value;
        }
        if (node instanceof IntInsnNode push) {
            return push.operand == value;
        }
        return node instanceof LdcInsnNode load && load.cst instanceof Number number && number.longValue() == value;
    }

    private static AbstractInsnNode push(Type type, Object value) {
        if (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY) {
            return new InsnNode(Opcodes.ACONST_NULL);
        }
        if (value instanceof Boolean truth) {
            return new InsnNode(truth ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
        }
        return new LdcInsnNode(value);
    }

    private static AbstractInsnNode find(MethodNode method, Predicate<AbstractInsnNode> wanted, int index) {
        List<AbstractInsnNode> found = new ArrayList<>();
        for (AbstractInsnNode node : method.instructions) {
            if (wanted.test(node)) {
                found.add(node);
            }
        }
        if (index >= found.size()) {
            throw new IllegalArgumentException(method.name + " has only " + found.size() + " of what is to be changed");
        }
        return found.get(index);
    }
}
