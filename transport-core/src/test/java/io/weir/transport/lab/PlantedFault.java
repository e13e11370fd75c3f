package io.weir.transport.lab;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A mistake that somebody could make in the product, planted in the bytes of one of its methods.
 *
 * @param what what the product does wrong
 * @param type the class, without {@code io.weir.}
 * @param method its method, with its descriptor where others have the same name
 * @param seedsMax in how many seeds the laboratory must find it; 0 where only a unit test can
 */
public record PlantedFault(String what, String type, String method, int seedsMax, Change change) {
    /** {@return one that a unit test must find} */
    public static PlantedFault ofUnit(String what, String type, String method, Change change) {
        return new PlantedFault(what, type, method, 0, change);
    }

    /** {@return the class's full name} */
    public String className() {
        return "io.weir." + type;
    }

    /**
     * Adds a copy of the method with the fault in it, which takes the method's place while the switch says {@code
     * number}.
     */
    public void plant(ClassNode node, int number) {
        MethodNode sound = only(node);
        String[] exceptions = sound.exceptions.toArray(String[]::new);
        MethodNode faulty =
                new MethodNode(sound.access, sound.name + "$" + number, sound.desc, sound.signature, exceptions);
        sound.accept(faulty);
        change.apply(faulty);
        faulty.access = (sound.access & Opcodes.ACC_STATIC) | Opcodes.ACC_PRIVATE;
        node.methods.add(faulty);
        sound.instructions.insert(detour(node, faulty, number));
    }

    /** {@return the class with the fault in place of the method} */
    public byte[] plantForGood(byte[] sound) {
        ClassNode node = new ClassNode();
        new ClassReader(sound).accept(node, 0);
        change.apply(only(node));
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private MethodNode only(ClassNode node) {
        MethodNode found = null;
        for (MethodNode candidate : node.methods) {
            if (candidate.name.equals(method) || (candidate.name + candidate.desc).equals(method)) {
                if (found != null) {
                    throw new IllegalArgumentException(type + " has more than one method " + method);
                }
                found = candidate;
            }
        }
        if (found == null) {
            throw new IllegalArgumentException(type + " has no method " + method);
        }
        return found;
    }

    private static InsnList detour(ClassNode node, MethodNode faulty, int number) {
        LabelNode otherwise = new LabelNode();
        boolean isStatic = (faulty.access & Opcodes.ACC_STATIC) != 0;
        InsnList code = new InsnList();
        code.add(new FieldInsnNode(Opcodes.GETSTATIC, Type.getInternalName(FaultSwitch.class), "active", "I"));
        code.add(new LdcInsnNode(number));
        code.add(new JumpInsnNode(Opcodes.IF_ICMPNE, otherwise));
        int slot = 0;
        if (!isStatic) {
            code.add(new VarInsnNode(Opcodes.ALOAD, slot++));
        }
        for (Type argument : Type.getArgumentTypes(faulty.desc)) {
            code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), slot));
            slot += argument.getSize();
        }
        int call = isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL;
        code.add(new MethodInsnNode(call, node.name, faulty.name, faulty.desc));
        code.add(new InsnNode(Type.getReturnType(faulty.desc).getOpcode(Opcodes.IRETURN)));
        code.add(otherwise);
        // Nothing has been done yet: the arguments stand where they stood.
        code.add(new FrameNode(Opcodes.F_SAME, 0, null, 0, null));
        return code;
    }
}
