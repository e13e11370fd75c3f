package io.weir.transport.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what software that names a factory by its class finds: no other factory than ours, and no silent other way. */
class FactoriesByNameTest {
    private static final List<Class<?>> FACTORIES = List.of(WeirServerSocketFactory.class, WeirSocketFactory.class);

    @AfterEach
    void clear() {
        System.clearProperty(NamedTransports.INTERFACE_PROPERTY);
    }

    private static Object byConstructor(String className) throws ReflectiveOperationException {
        return Class.forName(className).getConstructor().newInstance();
    }

    private static Object byGetDefault(String className) throws ReflectiveOperationException {
        return Class.forName(className).getMethod("getDefault").invoke(null);
    }

    @Test
    void getDefault_ofEachFactory_isOneOfItsClass() throws Exception {
        for (Class<?> factory : FACTORIES) {
            assertEquals(factory, byGetDefault(factory.getName()).getClass());
            assertEquals(factory, byConstructor(factory.getName()).getClass());
        }
    }

    @Test
    void createSocket_propertyNamesATransport_connectsOverIt() throws Exception {
        FramePool left = new FramePool(2048, 2048, true);
        FramePool right = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        try (Transport client = Transport.open(pair.get(0), left, TransportConfig.DEFAULT);
                Transport server = Transport.open(pair.get(1), right, TransportConfig.DEFAULT)) {
            NamedTransports.register("client", client);
            NamedTransports.register("server", server);
            System.setProperty(NamedTransports.INTERFACE_PROPERTY, " server ");
            ServerSocketFactory listeners = (ServerSocketFactory) byGetDefault(WeirServerSocketFactory.class.getName());
            try (ServerSocket listener = listeners.createServerSocket(4720)) {
                System.setProperty(NamedTransports.INTERFACE_PROPERTY, "client");
                SocketFactory sockets = (SocketFactory) byConstructor(WeirSocketFactory.class.getName());
                InetSocketAddress address =
                        new InetSocketAddress(server.addresses().get(0), 4720);
                try (Socket socket = sockets.createSocket(address.getAddress(), address.getPort());
                        Socket accepted = listener.accept()) {
                    socket.getOutputStream().write(7);
                    assertEquals(7, accepted.getInputStream().read());
                }
            }
        } finally {
            NamedTransports.remove("client");
            NamedTransports.remove("server");
        }
    }

    @Test
    void createSocket_propertyIsNotSet_saysWhatToSet() {
        for (String value : new String[] {null, "", " "}) {
            if (value != null) {
                System.setProperty(NamedTransports.INTERFACE_PROPERTY, value);
            }
            IOException e = assertThrows(IOException.class, () -> new WeirSocketFactory().createSocket());
            assertTrue(e.getMessage().startsWith("property weir.interface is not set"), e.getMessage());
            assertTrue(e.getMessage().contains("-Dweir.interface=eth0"), e.getMessage());
            IOException other =
                    assertThrows(IOException.class, () -> new WeirServerSocketFactory().createServerSocket());
            assertEquals(e.getMessage(), other.getMessage());
        }
    }
}
