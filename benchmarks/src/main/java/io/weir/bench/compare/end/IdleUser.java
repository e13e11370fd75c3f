package io.weir.bench.compare.end;

import java.util.concurrent.TimeUnit;

/** Keeps a connection open without traffic. */
final class IdleUser implements PipeUser {
    private final ClientRun run;

    IdleUser(ClientRun run) {
        this.run = run;
    }

    @Override
    public void onOpen(Pipe pipe) {
        run.begin();
        Thread end = new Thread(this::rest, "compare-idle");
        end.setDaemon(true);
        end.start();
    }

    private void rest() {
        try {
            TimeUnit.NANOSECONDS.sleep(run.spec().warmNanos() + run.spec().windowNanos());
            run.end();
        } catch (InterruptedException e) {
            run.fail("interrupted");
        }
    }

    @Override
    public void onBytes(Pipe pipe, int bytes) {
        run.fail("the server sent " + bytes + " B where nothing was expected");
    }

    @Override
    public void onWritable(Pipe pipe) {
        // Nothing is written.
    }

    @Override
    public void onClosed(Pipe pipe, String failure) {
        if (!run.hasEnded()) {
            run.fail("the connection ended early: " + failure);
        }
    }
}
