package io.weir.cli.lab;

import io.weir.nic.lab.Lab;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Ends the laboratories that are held open. */
@Command(name = "down", description = "End every weir lab up of this machine, and remove what killed ones have left.")
public final class LabDownCommand implements Callable<Integer> {
    private static final int SECONDS_MAX = 15;

    @Spec
    private CommandSpec spec;

    /** For picocli. */
    public LabDownCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        List<ProcessHandle> open = new OpenLabs().find();
        for (ProcessHandle process : open) {
            end(process);
        }
        Lab.removeLeftovers();
        spec.commandLine().getOut().println(open.isEmpty() ? "No lab was open." : "Ended " + open.size() + ".");
        spec.commandLine().getOut().flush();
        return 0;
    }

    private static void end(ProcessHandle process) throws IOException, InterruptedException, ExecutionException {
        process.destroy();
        // It is a process of the same machine: what that is busy with keeps both waiting.
        OwnTimeLimit limit = OwnTimeLimit.ofSeconds(SECONDS_MAX);
        try {
            limit.get(process.onExit());
        } catch (TimeoutException e) {
            throw new IOException(
                    "process " + process.pid() + " did not end within " + SECONDS_MAX + " s" + limit.remark()
                            + "; end it by kill -9 " + process.pid() + ", and run weir lab down again",
                    e);
        }
    }
}
