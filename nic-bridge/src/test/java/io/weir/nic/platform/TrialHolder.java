package io.weir.nic.platform;

import io.weir.transport.runtime.Backend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process that opens the second end of each link by AF_XDP and has it until it is killed. */
final class TrialHolder {
    static final String HOLDING = "HOLDING";

    private TrialHolder() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws InterruptedException {
        List<Backend.Opened> opened = new ArrayList<>();
        for (String argument : arguments) {
            TrialLink link = TrialLink.parse(argument);
            try {
                opened.add(TrialWay.AF_XDP.open(link.b()));
            } catch (IOException e) {
                System.out.println(link.name() + " cannot be held: " + e.getMessage());
            }
        }
        System.out.println(HOLDING + " " + opened.size());
        // Nobody counts it down.
        new CountDownLatch(1).await();
    }
}
