package io.weir.agent;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests of another project, and tells what they found and which way their connections went. The tests know
 * nothing of Weir.
 */
public final class ForeignSuite {
    private ForeignSuite() {}

    /**
     * Runs some classes and ends.
     *
     * @param arguments the classes, with commas between them; then what is not run, each as {@code Class#method}
     */
    public static void main(String[] arguments) throws Exception {
        Recording recording = new Recording();
        recording.enable("io.weir.Way");
        recording.start();
        Set<String> excluded = Set.copyOf(List.of(arguments).subList(1, arguments.length));
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(!excluded.contains(name(test))));
        for (String className : arguments[0].split(",", -1)) {
            request.selectors(selectClass(className));
        }
        TestExecutionSummary summary = run(request.build());
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            failure.getException().printStackTrace(System.out);
        }
        System.out.println("suite: passed=" + summary.getTestsSucceededCount() + " failed="
                + summary.getTotalFailureCount() + " skipped="
                + (summary.getTestsSkippedCount() + summary.getTestsAbortedCount()) + " " + ways(recording) + " "
                + failures(summary));
        System.exit(0);
    }

    private static TestExecutionSummary run(LauncherDiscoveryRequest request) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }

    /** {@return what failed and how, in one line} */
    private static String failures(TestExecutionSummary summary) {
        return summary.getFailures().stream()
                .map(failure -> failure.getTestIdentifier().getUniqueId() + ": " + failure.getException())
                .map(text -> text.replace('\n', ' '))
                .collect(Collectors.joining("; ", "[", "]"));
    }

    private static String name(TestDescriptor test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(source -> source.getClassName().replaceAll(".*\\.", "") + "#" + source.getMethodName())
                .orElse("");
    }

    /** {@return how many connections, and not listeners, went which way} */
    private static Map<String, Long> ways(Recording recording) throws IOException, JMException {
        Path file = Files.createTempFile("weir-suite", ".jfr");
        recording.dump(file);
        recording.close();
        Map<String, Long> counts = new TreeMap<>();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals("io.weir.Way")
                        && !event.getString("text").startsWith("listens")) {
                    counts.merge(event.getString("outcome"), 1L, Long::sum);
                }
            }
        }
        Files.delete(file);
        long byRule = byRule();
        if (byRule > 0) {
            counts.put("tcp: rule", byRule);
        }
        return counts;
    }

    /** {@return how many went over TCP since a rule says so, which are counted and not told one by one} */
    private static long byRule() throws JMException {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        TabularData counts = (TabularData) beans.getAttribute(new ObjectName("io.weir:type=Ways"), "Counts");
        CompositeData row = counts.get(new Object[] {"tcp: rule"});
        return row == null ? 0 : (Long) row.get("value");
    }
}
