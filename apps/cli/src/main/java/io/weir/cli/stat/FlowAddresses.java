package io.weir.cli.stat;

import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.wire.IpAddress;

/** The ends of a connection as people write them. */
final class FlowAddresses {
    private static final int VERSION_6 = 6;

    private FlowAddresses() {}

    static String local(CounterSnapshot.Flow flow) {
        return text(flow, FlowField.LOCAL_HIGH, FlowField.LOCAL_LOW, FlowField.LOCAL_PORT);
    }

    static String remote(CounterSnapshot.Flow flow) {
        return text(flow, FlowField.REMOTE_HIGH, FlowField.REMOTE_LOW, FlowField.REMOTE_PORT);
    }

    private static String text(CounterSnapshot.Flow flow, FlowField high, FlowField low, FlowField port) {
        boolean isV6 = flow.get(FlowField.IP_VERSION) == VERSION_6;
        IpAddress address = isV6 ? IpAddress.v6(flow.get(high), flow.get(low)) : IpAddress.v4((int) flow.get(low));
        return (isV6 ? "[" + address + "]" : address.toString()) + ":" + flow.get(port);
    }
}
