package io.weir.nic.broker;

import io.weir.transport.wire.IpAddress;
import java.util.ArrayList;
import java.util.List;

/** The addresses of the interface, as the broker tells them. */
final class AddressesMessage {
    /** What fits a message. A port takes datagrams of fewer. */
    private static final int ADDRESSES_MAX = 150;

    private static final int ADDRESS_BYTES = 20;

    private AddressesMessage() {}

    static MessageWriter write(List<IpAddress> addresses) {
        return writeTo(new MessageWriter(MessageKind.ADDRESSES), addresses);
    }

    static MessageWriter writeTo(MessageWriter message, List<IpAddress> addresses) {
        List<IpAddress> told = addresses.subList(0, Math.min(addresses.size(), ADDRESSES_MAX));
        message.putInt(told.size());
        told.forEach(message::putAddress);
        return message;
    }

    static List<IpAddress> read(MessageReader message) {
        int count = message.getCount(ADDRESS_BYTES);
        List<IpAddress> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            addresses.add(message.getAddress());
        }
        return addresses;
    }
}
