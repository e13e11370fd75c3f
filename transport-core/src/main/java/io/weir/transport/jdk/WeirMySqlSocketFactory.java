package io.weir.transport.jdk;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.StandardSocketFactory;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/**
 * Connects MySQL Connector/J over the transport that the property {@link NamedTransports#INTERFACE_PROPERTY} names:
 * {@code jdbc:mysql://10.0.0.2/db?socketFactory=io.weir.transport.jdk.WeirMySqlSocketFactory}. The driver creates one
 * for each connection.
 *
 * <p>The driver has its own interface in place of {@link javax.net.SocketFactory}. This is the only class that
 * needs the driver, which the application brings.
 */
public final class WeirMySqlSocketFactory extends StandardSocketFactory {
    /** For the driver. */
    public WeirMySqlSocketFactory() {}

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the driver's signature
    public <T extends Closeable> T connect(String hostname, int portNumber, PropertySet properties, int loginTimeout)
            throws IOException {
        try {
            return super.connect(hostname, portNumber, properties, loginTimeout);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The method of the driver may not throw what {@link #connect} may. */
    @Override
    protected Socket createSocket(PropertySet properties) {
        try {
            return JdkSocket.create(NamedTransports.findByProperty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
