package io.weir.bench.compare.end;

import java.util.function.Supplier;

/** Opens many connections, some at a time, and says when all are open. */
final class OpenUsers {
    private static final int OPENING_MAX = 32;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ClientRun run;
    private final Pipes pipes;
    private final Supplier<Member> members;
    private final int count;
    /** Connections asked for. Guarded by this. */
    private int askedCount;
    /** Connections that are open. Guarded by this. */
    private int openCount;

    private long startNanos;

    OpenUsers(ClientRun run, Pipes pipes, Supplier<Member> members) {
        this.run = run;
        this.pipes = pipes;
        this.members = members;
        this.count = run.spec().count();
    }

    void start() {
        startNanos = System.nanoTime();
        int first = Math.min(OPENING_MAX, count);
        for (int i = 0; i < first; i++) {
            ask();
        }
    }

    private void ask() {
        synchronized (this) {
            if (askedCount == count) {
                return;
            }
            askedCount++;
        }
        pipes.connect(new One(members.get()));
    }

    private boolean opened() {
        synchronized (this) {
            openCount++;
            if (openCount < count) {
                return false;
            }
        }
        double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
        run.out().value("opensPerSecond", count / seconds);
        return true;
    }

    /** What uses one of the connections. */
    interface Member {
        /** The connection is open; {@code isLast} if all are then. */
        void onOpen(Pipe pipe, boolean isLast);

        /** Bytes arrived. */
        void onBytes(Pipe pipe, int bytes);

        /** There is room again. */
        void onWritable(Pipe pipe);
    }

    /** One of them. */
    private final class One implements PipeUser {
        private final Member member;
        private boolean isOpen;

        One(Member member) {
            this.member = member;
        }

        @Override
        public void onOpen(Pipe pipe) {
            isOpen = true;
            boolean isLast = opened();
            member.onOpen(pipe, isLast);
            if (!isLast) {
                ask();
            }
        }

        @Override
        public void onBytes(Pipe pipe, int bytes) {
            member.onBytes(pipe, bytes);
        }

        @Override
        public void onWritable(Pipe pipe) {
            member.onWritable(pipe);
        }

        @Override
        public void onClosed(Pipe pipe, String failure) {
            if (!run.hasEnded()) {
                run.fail((isOpen ? "a connection ended early: " : "a connection failed: ") + failure);
            }
        }
    }
}
