package io.weir.transport.threads;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Rewrites a class of the product for an order of threads: a {@link TurnCalls#point} before each access to a volatile
 * field, an atomic, a concurrent collection or a ring's memory, and {@link TurnCalls} in place of what waits, wakes,
 * locks and reads the clock.
 */
final class TurnedClass {
    private static final String CALLS = Type.getInternalName(TurnCalls.class);
    private static final String THREAD = "java/lang/Thread";
    private static final String LOCK = "java/util/concurrent/locks/ReentrantLock";
    private static final String LATCH = "java/util/concurrent/CountDownLatch";
    private static final String PARKING = "java/util/concurrent/locks/LockSupport";
    private static final String HASH_FIELD = "hash$turn";
    /** What is made in the laboratory in place of the JDK's. */
    private static final Map<String, String> REPLACED = Map.of(
            THREAD,
            Type.getInternalName(TurnThread.class),
            "java/security/SecureRandom",
            Type.getInternalName(SeededBytes.class));
    /** The JDK's methods that {@link TurnCalls} has, by owner and name. */
    private static final Set<String> REDIRECTED = Set.of(
            "java/lang/System.nanoTime",
            THREAD + ".yield",
            THREAD + ".start",
            PARKING + ".parkNanos",
            PARKING + ".unpark",
            LOCK + ".tryLock",
            LOCK + ".unlock",
            LATCH + ".await");
    /** What copies bytes of rings and stream buffers. */
    private static final Set<String> COPIES = Set.of("putBytes", "getBytes", "putInt", "getInt");

    /** What only tells how things went: its order does not matter. */
    private static final Set<String> UNSHARED =
            Set.of("CycleMonitor", "Counters", "LinkShares", "PauseCounts", "NodeAgent");
    /** Whose rings get few slots, so that they fill and wrap. */
    private static final Set<String> RINGS = Set.of("MemoryLink", "SteeredPort", "OwnHostPort");

    private static final int SLOTS = 16;

    private final ClassNode node;
    private final String simpleName;
    private final BiPredicate<String, String> isVolatile;

    /** Of this class; {@code isVolatile} knows fields by their class and name. */
    private TurnedClass(ClassNode node, BiPredicate<String, String> isVolatile) {
        this.node = node;
        this.simpleName = node.name.substring(node.name.lastIndexOf('/') + 1);
        this.isVolatile = isVolatile;
    }

    static void rewrite(ClassNode node, BiPredicate<String, String> isVolatile) {
        new TurnedClass(node, isVolatile).rewrite();
    }

    private void rewrite() {
        for (MethodNode method : List.copyOf(node.methods)) {
            for (AbstractInsnNode instruction : method.instructions.toArray()) {
                rewrite(method, instruction);
            }
            if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                unwrapMonitor(method);
            }
        }
        addHash();
    }

    private void rewrite(MethodNode method, AbstractInsnNode instruction) {
        InsnList code = method.instructions;
        if (instruction instanceof FieldInsnNode field) {
            if (field.owner.endsWith("OwnTimeLimit") && field.name.equals("LOAD")) {
                // All of virtual time counts.
                code.set(
                        field,
                        new InsnNode(field.getOpcode() == Opcodes.GETSTATIC ? Opcodes.ACONST_NULL : Opcodes.POP));
            } else if (isVolatile.test(field.owner, field.name)) {
                addPoint(method, field, field.name);
            }
        } else if (instruction instanceof MethodInsnNode call) {
            rewriteCall(method, call);
        } else if (instruction instanceof IntInsnNode number
                && RINGS.contains(simpleName)
                && isSlotCount(number.operand)) {
            number.operand = SLOTS;
        } else if (instruction instanceof TypeInsnNode made && made.getOpcode() == Opcodes.NEW) {
            made.desc = REPLACED.getOrDefault(made.desc, made.desc);
        } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
            for (int i = 0; i < dynamic.bsmArgs.length; i++) {
                if (dynamic.bsmArgs[i] instanceof Handle handle && isRedirected(handle.getOwner(), handle.getName())) {
                    dynamic.bsmArgs[i] = new Handle(
                            Opcodes.H_INVOKESTATIC, CALLS, nameOfCall(handle.getName()), handle.getDesc(), false);
                }
            }
        } else if (instruction.getOpcode() == Opcodes.MONITORENTER || instruction.getOpcode() == Opcodes.MONITOREXIT) {
            String name = instruction.getOpcode() == Opcodes.MONITORENTER ? "enterMonitor" : "exitMonitor";
            code.set(instruction, monitorCall(name));
        }
    }

    private static boolean isSlotCount(int number) {
        return number == 1 << 8 || number == 1 << 10;
    }

    /** {@return what a method of the JDK's is called here: one that is named like a keyword has another name} */
    private static String nameOfCall(String name) {
        return name.equals("yield") ? "yieldTurn" : name;
    }

    private static boolean isRedirected(String owner, String name) {
        return REDIRECTED.contains(owner + "." + name);
    }

    private void rewriteCall(MethodNode method, MethodInsnNode call) {
        if (isRedirected(call.owner, call.name)) {
            if (call.getOpcode() != Opcodes.INVOKESTATIC) {
                call.desc = "(L" + call.owner + ";" + call.desc.substring(1);
                call.setOpcode(Opcodes.INVOKESTATIC);
            }
            call.owner = CALLS;
            call.name = nameOfCall(call.name);
        } else if (call.name.equals("<init>") && call.getOpcode() == Opcodes.INVOKESPECIAL) {
            // But for a constructor's call of its superclass.
            if (!REPLACED.getOrDefault(call.owner, "").isEmpty() && !node.superName.equals(call.owner)) {
                call.owner = REPLACED.get(call.owner);
            }
        } else if (isShared(call)) {
            addPoint(method, call, call.name);
        }
    }

    private boolean isShared(MethodInsnNode call) {
        if (call.owner.startsWith("java/util/concurrent/atomic/")
                || call.owner.startsWith("java/util/concurrent/Concurrent")
                || call.owner.equals("java/util/concurrent/ArrayBlockingQueue")
                || call.owner.equals("java/util/Queue")
                || call.owner.startsWith("org/agrona/concurrent/ManyToOne")) {
            return true;
        }
        boolean isMemory = call.owner.equals("org/agrona/UnsafeApi") || call.owner.endsWith("/UnsafeBuffer");
        boolean isOrdered =
                call.name.endsWith("Volatile") || call.name.endsWith("Release") || call.name.endsWith("Acquire");
        return isMemory && (isOrdered || (node.name.endsWith("Ring") && COPIES.contains(call.name)));
    }

    private void addPoint(MethodNode method, AbstractInsnNode before, String what) {
        if (method.name.equals("<clinit>") || UNSHARED.contains(simpleName)) {
            return;
        }
        method.instructions.insertBefore(before, new LdcInsnNode(simpleName + "." + method.name + ":" + what));
        method.instructions.insertBefore(
                before, new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, "point", "(Ljava/lang/String;)V"));
    }

    private static MethodInsnNode monitorCall(String name) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, name, "(Ljava/lang/Object;)V");
    }

    /** A synchronized method becomes one that is not, and one that calls it with the monitor. */
    private void unwrapMonitor(MethodNode method) {
        if ((method.access & Opcodes.ACC_STATIC) != 0) {
            throw new IllegalStateException(node.name + "." + method.name + " is static and synchronized");
        }
        String[] exceptions = method.exceptions.toArray(String[]::new);
        MethodNode wrapper = new MethodNode(
                method.access & ~Opcodes.ACC_SYNCHRONIZED, method.name, method.desc, method.signature, exceptions);
        method.access = Opcodes.ACC_PRIVATE;
        method.name += "$turn";
        LabelNode begin = new LabelNode();
        LabelNode end = new LabelNode();
        LabelNode thrown = new LabelNode();
        InsnList code = wrapper.instructions;
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(monitorCall("enterMonitor"));
        code.add(begin);
        int slot = 0;
        code.add(new VarInsnNode(Opcodes.ALOAD, slot++));
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), slot));
            slot += argument.getSize();
        }
        code.add(new MethodInsnNode(Opcodes.INVOKESPECIAL, node.name, method.name, method.desc));
        code.add(end);
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(monitorCall("exitMonitor"));
        code.add(new InsnNode(Type.getReturnType(method.desc).getOpcode(Opcodes.IRETURN)));
        code.add(thrown);
        code.add(new FrameNode(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Throwable"}));
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(monitorCall("exitMonitor"));
        code.add(new InsnNode(Opcodes.ATHROW));
        wrapper.tryCatchBlocks.add(new TryCatchBlockNode(begin, end, thrown, null));
        node.methods.add(wrapper);
    }

    /** Hashes in the order in which they are asked for. */
    private void addHash() {
        boolean isPlain = (node.access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT)) == 0
                && node.superName.equals("java/lang/Object")
                && node.methods.stream().noneMatch(method -> method.name.equals("hashCode"));
        if (!isPlain) {
            return;
        }
        node.fields.add(new FieldNode(Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC, HASH_FIELD, "I", null, null));
        MethodNode method = new MethodNode(Opcodes.ACC_PUBLIC, "hashCode", "()I", null, null);
        LabelNode known = new LabelNode();
        InsnList code = method.instructions;
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, node.name, HASH_FIELD, "I"));
        code.add(new JumpInsnNode(Opcodes.IFNE, known));
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, CALLS, "nextHash", "()I"));
        code.add(new FieldInsnNode(Opcodes.PUTFIELD, node.name, HASH_FIELD, "I"));
        code.add(known);
        code.add(new FrameNode(Opcodes.F_SAME, 0, null, 0, null));
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new FieldInsnNode(Opcodes.GETFIELD, node.name, HASH_FIELD, "I"));
        code.add(new InsnNode(Opcodes.IRETURN));
        node.methods.add(method);
    }
}
