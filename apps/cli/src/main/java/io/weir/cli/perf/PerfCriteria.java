package io.weir.cli.perf;

import io.weir.cli.output.Criterion;
import java.util.ArrayList;
import java.util.List;

/** What must hold of every test. */
final class PerfCriteria {
    private final PerfResult result;
    private final List<Criterion> criteria = new ArrayList<>();

    private PerfCriteria(PerfResult result) {
        this.result = result;
    }

    /** {@return what must hold of the result and of that over the kernel's TCP, where there is one} */
    static List<Criterion> ofAll(PerfResult result) {
        List<Criterion> all = new ArrayList<>(of(result));
        if (result.kernel() != null) {
            of(result.kernel()).forEach(criterion -> all.add(criterion.named("kernel TCP: " + criterion.name())));
        }
        return all;
    }

    /** {@return the first that is not met, as text, or null where all are} */
    static String firstUnmet(List<Criterion> criteria) {
        return criteria.stream()
                .filter(criterion -> !criterion.met())
                .map(Criterion::text)
                .findFirst()
                .orElse(null);
    }

    /** {@return what must hold of the result, and whether it does} */
    static List<Criterion> of(PerfResult result) {
        if (result.ended() != null) {
            // Of a test that was cut off nothing else can be demanded.
            return List.of(Criterion.holds("the test ran to its end", false));
        }
        PerfCriteria criteria = new PerfCriteria(result);
        criteria.addStreams();
        if (result.test().kind() == Kind.BULK) {
            criteria.addBytes("client", result.client(), "server", result.server());
            criteria.addBytes("server", result.server(), "client", result.client());
        } else if (result.test().kind() == Kind.WORKLOAD) {
            criteria.addMessages();
        } else {
            criteria.addResponses();
        }
        if (result.test().verifySeed() != null) {
            criteria.addPayload();
        }
        return criteria.criteria;
    }

    private void addStreams() {
        long inOrder = 0;
        for (int i = 0; i < result.test().streamCount(); i++) {
            boolean isInOrder = result.client().streams().get(i).failure() == null
                    && result.server().streams().get(i).failure() == null;
            inOrder += isInOrder ? 1 : 0;
        }
        criteria.add(Criterion.equal(
                "streams that ended in order", inOrder, (long) result.test().streamCount(), ""));
    }

    private void addBytes(String from, SideReport sender, String to, SideReport receiver) {
        if (sender.streams().stream().noneMatch(StreamReport::sender)) {
            return;
        }
        long received = receiver.allBytes(false);
        criteria.add(Criterion.equal(
                "bytes that the " + to + " received of those that the " + from + " sent",
                received,
                sender.allBytes(true),
                "B"));
        long asked = result.test().totalBytes();
        if (asked > 0 && result.test().details().omitNanos() == 0) {
            criteria.add(
                    Criterion.equal("bytes that the " + to + " received of those asked for", received, asked, "B"));
        }
    }

    private void addResponses() {
        Latency latency = result.client().latency();
        criteria.add(Criterion.atLeast("responses", latency == null ? 0 : latency.count(), 1, ""));
    }

    private void addMessages() {
        WorkloadReport workload = result.client().workload();
        criteria.add(Criterion.atLeast(
                "messages that were answered",
                workload == null ? 0 : workload.all().count(),
                1,
                ""));
    }

    private void addPayload() {
        long different = 0;
        for (int i = 0; i < result.test().streamCount(); i++) {
            boolean isClientSender = result.test().isSender(Role.CLIENT, i);
            StreamReport sender = (isClientSender ? result.client() : result.server())
                    .streams()
                    .get(i);
            StreamReport receiver = (isClientSender ? result.server() : result.client())
                    .streams()
                    .get(i);
            criteria.add(Criterion.equal("SHA-256 of stream " + i, text(receiver.sha256()), text(sender.sha256()), ""));
            different += receiver.firstWrongOffset() == null ? 0 : 1;
        }
        criteria.add(Criterion.equal("streams whose payload is not what the seed says", different, 0L, ""));
    }

    private static String text(String sha256) {
        return sha256 == null ? "none" : sha256;
    }
}
