package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;

/**
 * Lets the kernel leave an interface's receive work (its NAPI) to a thread that polls for it: after each poll nobody
 * else begins it for a while. By the netdev family of generic netlink (Linux 6.13 and newer).
 *
 * <p>The kernel forgets the setting with the NAPI. That of a veth pair's end goes with the XDP program, also when the
 * process is killed.
 *
 * <p>One owner; {@link #begin} and {@link #end} are two system calls each and allocate nothing.
 */
public final class NapiDeferral implements AutoCloseable {
    private static final int NAPI_ID = 2;
    private static final int DEFER_COUNT = 5;
    private static final int FLUSH_NANOS = 6;
    /** A number that the kernel gives to none: what it answers tells whether it knows the request. */
    private static final int NO_NAPI = Integer.MAX_VALUE;

    private final NetlinkSocket socket;
    private final NetdevFamily family;
    /** For the NAPI that was chosen last, or null before. */
    private NetlinkRequest begin;

    private NetlinkRequest end;

    private NapiDeferral(NetlinkSocket socket, NetdevFamily family) {
        this.socket = socket;
        this.family = family;
    }

    /** {@return one for interfaces of the calling thread's namespace} */
    public static NapiDeferral open() throws NicException {
        NetlinkSocket socket = NetlinkSocket.generic();
        try {
            NapiDeferral deferral = new NapiDeferral(socket, NetdevFamily.find(socket));
            deferral.choose(NO_NAPI, 0);
            int result = deferral.begin();
            if (result != -Errno.ENOENT.number()) {
                throw new NicException(-result, "defer receive work", "needs Linux 6.13 and CAP_NET_ADMIN");
            }
            return deferral;
        } catch (NicException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Chooses what {@link #begin} and {@link #end} are about.
     *
     * @param napiId the kernel's number of the receive work
     * @param nanos how long after a poll the kernel waits before it does the work itself
     */
    public void choose(int napiId, int nanos) {
        begin = request(napiId, 1, nanos);
        end = request(napiId, 0, 0);
    }

    private NetlinkRequest request(int napiId, int count, int nanos) {
        return family.request(NetdevFamily.NAPI_SET, NetlinkRequest.FLAG_ACKNOWLEDGE)
                .attribute(NAPI_ID, napiId)
                .attribute(DEFER_COUNT, count)
                .attribute(FLUSH_NANOS, nanos);
    }

    /** Leaves the work to the polling thread; returns 0, or minus the error number. */
    public int begin() {
        return socket.command(begin);
    }

    /** Gives the work back to the kernel; returns 0, or minus the error number. */
    public int end() {
        return socket.command(end);
    }

    @Override
    public void close() {
        socket.close();
    }
}
