package io.weir.transport.host;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.telemetry.CounterId;
import org.agrona.DirectBuffer;

/**
 * Calls the application. What its code throws, or returns although it must not, ends the connection that it was called
 * for, and the host goes on. An error of the virtual machine is not the callback's own: it goes to the driver. So does
 * everything while nobody listens for faults, as in simulations, where a test must see it.
 *
 * <p>Owned by the host. Costs nothing per call while nothing is wrong.
 */
final class Callbacks {
    private final HostStack host;
    /** Null where exceptions go to the driver. Set before the host runs. */
    private FaultListener listener;

    Callbacks(HostStack host) {
        this.host = host;
    }

    void setListener(FaultListener newListener) {
        listener = newListener;
    }

    /** {@return the handler of a new connection, or null to refuse it} */
    ConnectionHandler onIncoming(ConnectionAcceptor acceptor, Connection connection) {
        try {
            return acceptor.onIncoming(connection);
        } catch (Throwable problem) {
            onFault(connection, problem);
            return null;
        }
    }

    void onConnected(ConnectionHandler handler, Connection connection) {
        try {
            handler.onConnected(connection);
        } catch (Throwable problem) {
            onFault(connection, problem);
        }
    }

    /** {@return how many of the bytes the handler took: none, if it failed} */
    int onData(ConnectionHandler handler, Connection connection, DirectBuffer buffer, int index, int length) {
        try {
            int taken = handler.onData(connection, buffer, index, length);
            if (taken < 0 || taken > length) {
                throw new IllegalStateException("onData returned " + taken + " where " + length
                        + " bytes were offered; return how many were taken, 0 to " + length);
            }
            return taken;
        } catch (Throwable problem) {
            onFault(connection, problem);
            return 0;
        }
    }

    void onEnd(ConnectionHandler handler, Connection connection) {
        try {
            handler.onEnd(connection);
        } catch (Throwable problem) {
            onFault(connection, problem);
        }
    }

    void onWritable(ConnectionHandler handler, Connection connection) {
        try {
            handler.onWritable(connection);
        } catch (Throwable problem) {
            onFault(connection, problem);
        }
    }

    void onAck(Connection connection, AckObserver observer, AckSample ack, long nowNanos) {
        try {
            observer.onAck(ack, nowNanos);
        } catch (Throwable problem) {
            onFault(connection, problem);
        }
    }

    boolean readsElsewhere(ConnectionHandler handler, Connection connection) {
        try {
            return handler.readsElsewhere();
        } catch (Throwable problem) {
            onFault(connection, problem);
            return false;
        }
    }

    void onClosed(ConnectionHandler handler, Connection connection, CloseReason reason) {
        try {
            handler.onClosed(connection, reason);
        } catch (Throwable problem) {
            onFault(connection, problem);
        }
    }

    /** Ends a connection because of a problem of the application's code, and tells the listener. */
    void onFault(Connection connection, Throwable problem) {
        if (listener == null || problem instanceof VirtualMachineError) {
            Callbacks.<RuntimeException>rethrow(problem);
        }
        host.counters().increment(CounterId.CALLBACK_FAULTS);
        connection.abort(CloseReason.HANDLER_FAILED, problem);
        listener.onFault(connection, problem);
    }

    @SuppressWarnings("unchecked") // handlers written in other languages throw checked exceptions too
    private static <E extends Throwable> void rethrow(Throwable problem) throws E {
        throw (E) problem;
    }
}
