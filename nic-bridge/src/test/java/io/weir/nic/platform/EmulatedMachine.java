package io.weir.nic.platform;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.transport.testing.Document;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** Runs {@link PlatformTrial} in a machine that {@code tools/vm/vm.py} emulates. */
final class EmulatedMachine {
    /** A guard against hangs: the machine is ended then, and the trial has the stages so far. */
    private static final String SECONDS_MAX = "850";

    /** Of processors of another kind, which are emulated several times slower. */
    private static final String SECONDS_MAX_FOREIGN = "2400";

    private static final String SCRIPT = "trial.sh";
    private static final String NEWER_QEMU = "bookworm-backports";
    private static final Pattern KERNEL = Pattern.compile("vm: kernel (\\d+\\.\\d+)\\..*");
    private static final List<String> PROGRAMS =
            List.of("python3", "qemu-system-x86_64", "qemu-system-aarch64", "mke2fs", "cpio", "dpkg-deb", "xz");

    private final PlatformBoot boot;
    private final Path folder;

    /** @param folder an empty folder for what the machine is given */
    EmulatedMachine(PlatformBoot boot, Path folder) {
        this.boot = boot;
        this.folder = folder;
    }

    /** Skips the test where what emulates is not installed, or fails it where live tests are required. */
    static void requireInstalled() {
        for (String program : PROGRAMS) {
            boolean isThere = false;
            for (String place : System.getenv("PATH").split(":", -1)) {
                isThere |= Path.of(place, program).toFile().canExecute();
            }
            if (!isThere && LiveTest.Rule.isRequired()) {
                throw new IllegalStateException(program + " is not installed; tools/vm/README.md names the packages");
            }
            Assumptions.assumeTrue(isThere, program + " is not installed; tools/vm/README.md names the packages");
        }
    }

    /** {@return what the trial found on these devices, a cell for each, also where it came to no end} */
    List<PlatformCell> tryDevices(List<PlatformDevice> devices) throws IOException, InterruptedException {
        prepare(devices);
        List<String> output = new ArrayList<>();
        Process process =
                new ProcessBuilder(command(devices)).redirectErrorStream(true).start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(output::add);
        } finally {
            process.destroy();
        }
        int status = process.waitFor();
        String kernel = output.stream()
                .map(KERNEL::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElseThrow(() -> new IOException(String.join("\n", output)));
        List<TrialReport.Line> found = output.stream()
                .map(TrialReport.Line::parse)
                .filter(line -> line != null)
                .toList();
        if (status != 0 || !found.stream().allMatch(TrialReport.Line::passed)) {
            System.err.println(String.join("\n", output));
        }
        if (status != 0) {
            throw new IOException("the trial on " + boot + " ended with " + status + "; all that it printed is above");
        }
        return devices.stream()
                .map(device -> PlatformCell.of(boot, kernel, device, found))
                .toList();
    }

    private void prepare(List<PlatformDevice> devices) throws IOException {
        Path library = Files.createDirectory(folder.resolve("lib"));
        String classPath = ReadableClassPath.copyTo(library).replace(folder.toString(), "/job");
        Files.writeString(folder.resolve("class-path"), classPath);
        StringBuilder links = new StringBuilder();
        int number = 0;
        for (PlatformDevice device : devices) {
            String place = device.model().isEmpty() ? "veth" : String.format("%02x", number++);
            links.append(device.name() + " " + place + " " + device.queueCount() + "\n");
        }
        Files.writeString(folder.resolve("links"), links);
        try (InputStream script = EmulatedMachine.class.getResourceAsStream(SCRIPT)) {
            Files.copy(script, folder.resolve(SCRIPT));
        }
    }

    private List<String> command(List<PlatformDevice> devices) {
        List<String> command = new ArrayList<>(List.of("python3"));
        command.add(Document.root().resolve("tools/vm/vm.py").toString());
        command.addAll(List.of("--kernel", boot.kernel(), "--arch", boot.architecture()));
        command.addAll(List.of("--timeout", boot.architecture().equals("amd64") ? SECONDS_MAX : SECONDS_MAX_FOREIGN));
        for (String shared : List.of("lib", "class-path", "links")) {
            command.addAll(List.of("--share", folder.resolve(shared).toString()));
        }
        for (PlatformDevice device : devices) {
            if (!device.model().isEmpty()) {
                command.addAll(List.of("--link", device.model()));
            }
        }
        if (devices.contains(PlatformDevice.IGB)) {
            command.addAll(List.of("--qemu-suite", NEWER_QEMU));
        }
        command.add(folder.resolve(SCRIPT).toString());
        return command;
    }
}
