package io.weir.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannelConfig;
import io.weir.transport.socket.TransportConfig;
import java.util.Map;

/**
 * The options of a {@link WeirSocketChannel}: all that Netty knows for TCP. Those of TCP that have no meaning here are
 * kept and change nothing: TCP_NODELAY (Weir never delays), SO_REUSEADDR (a port that was closed is free), IP_TOS (the
 * stack marks frames by their kind), SO_RCVBUF (the window grows with need) and TCP_FASTOPEN_CONNECT.
 */
public final class WeirSocketChannelConfig extends DefaultChannelConfig implements SocketChannelConfig {
    private static final int NO_LINGER = -1;

    private final WeirSocketChannel owner;
    // Options that change nothing, or only what the channel does at the end of input: kept as any thread set them.
    private volatile boolean isTcpNoDelay = true;
    private volatile boolean isReuseAddress;
    private volatile boolean isFastOpen;
    private volatile boolean isAllowHalfClosure;
    private volatile int trafficClass;
    /** Seconds, 0 to reset on close, or -1. */
    private volatile int soLinger = NO_LINGER;
    /** Bytes that may be written and not acknowledged, or 0 for as many as the transport allows. */
    private volatile int sendBufferBytes;

    /** Kept as any thread set it; the window grows with need. */
    private volatile int receiveBufferBytes = TransportConfig.DEFAULT.streams().receiveBufferBytes();
    /** Null for what the transport does by itself. */
    private volatile Boolean keepAlive;

    WeirSocketChannelConfig(WeirSocketChannel channel) {
        super(channel);
        owner = channel;
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(
                super.getOptions(),
                ChannelOption.SO_RCVBUF,
                ChannelOption.SO_SNDBUF,
                ChannelOption.TCP_NODELAY,
                ChannelOption.SO_KEEPALIVE,
                ChannelOption.SO_REUSEADDR,
                ChannelOption.SO_LINGER,
                ChannelOption.IP_TOS,
                ChannelOption.ALLOW_HALF_CLOSURE,
                ChannelOption.TCP_FASTOPEN_CONNECT);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
    }) // Netty's signature: the option's type is the value's
    public <T> T getOption(ChannelOption<T> option) {
        Object value = null;
        if (option.equals(ChannelOption.SO_RCVBUF)) {
            value = getReceiveBufferSize();
        } else if (option.equals(ChannelOption.SO_SNDBUF)) {
            value = getSendBufferSize();
        } else if (option.equals(ChannelOption.TCP_NODELAY)) {
            value = isTcpNoDelay();
        } else if (option.equals(ChannelOption.SO_KEEPALIVE)) {
            value = isKeepAlive();
        } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
            value = isReuseAddress();
        } else if (option.equals(ChannelOption.SO_LINGER)) {
            value = getSoLinger();
        } else if (option.equals(ChannelOption.IP_TOS)) {
            value = getTrafficClass();
        } else if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            value = isAllowHalfClosure();
        } else if (option.equals(ChannelOption.TCP_FASTOPEN_CONNECT)) {
            value = isFastOpen;
        }
        return value == null ? super.getOption(option) : (T) value;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        if (option.equals(ChannelOption.SO_RCVBUF)) {
            setReceiveBufferSize((Integer) value);
        } else if (option.equals(ChannelOption.SO_SNDBUF)) {
            setSendBufferSize((Integer) value);
        } else if (option.equals(ChannelOption.TCP_NODELAY)) {
            setTcpNoDelay((Boolean) value);
        } else if (option.equals(ChannelOption.SO_KEEPALIVE)) {
            setKeepAlive((Boolean) value);
        } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
            setReuseAddress((Boolean) value);
        } else if (option.equals(ChannelOption.SO_LINGER)) {
            setSoLinger((Integer) value);
        } else if (option.equals(ChannelOption.IP_TOS)) {
            setTrafficClass((Integer) value);
        } else if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
            setAllowHalfClosure((Boolean) value);
        } else if (option.equals(ChannelOption.TCP_FASTOPEN_CONNECT)) {
            isFastOpen = (Boolean) value;
        } else {
            return super.setOption(option, value);
        }
        return true;
    }

    @Override
    public boolean isTcpNoDelay() {
        return isTcpNoDelay;
    }

    @Override
    public SocketChannelConfig setTcpNoDelay(boolean isOn) {
        isTcpNoDelay = isOn;
        return this;
    }

    @Override
    public int getSoLinger() {
        return soLinger;
    }

    /**
     * Sets what closing does: 0 resets the connection; more gives what was written so many seconds without progress; -1
     * gives it 30.
     */
    @Override
    public SocketChannelConfig setSoLinger(int seconds) {
        soLinger = Math.max(NO_LINGER, seconds);
        return this;
    }

    @Override
    public int getSendBufferSize() {
        int bytes = sendBufferBytes;
        return bytes > 0 ? bytes : TransportConfig.DEFAULT.streams().sendBufferBytes();
    }

    /**
     * Sets how many bytes may be written to the stack and not acknowledged. More than the transport allows is as much
     * as it allows.
     */
    @Override
    public SocketChannelConfig setSendBufferSize(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("SO_SNDBUF=" + bytes + " holds nothing; give 1 or more");
        }
        sendBufferBytes = bytes;
        return this;
    }

    /** {@return bytes that may be written and not acknowledged} */
    int sendBufferBytesMax() {
        int bytes = sendBufferBytes;
        return bytes > 0 ? bytes : Integer.MAX_VALUE;
    }

    @Override
    public int getReceiveBufferSize() {
        return receiveBufferBytes;
    }

    @Override
    public SocketChannelConfig setReceiveBufferSize(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("SO_RCVBUF=" + bytes + " holds nothing; give 1 or more");
        }
        receiveBufferBytes = bytes;
        return this;
    }

    @Override
    public boolean isKeepAlive() {
        Boolean set = keepAlive;
        // Unless told otherwise, the stack asks silent peers that have opened the connection.
        return set == null ? owner.parent() != null : set;
    }

    @Override
    public SocketChannelConfig setKeepAlive(boolean isOn) {
        keepAlive = isOn;
        owner.onKeepAlive();
        return this;
    }

    /** {@return whether a silent peer is to be asked, or null for what the transport does by itself} */
    Boolean keepAliveWanted() {
        return keepAlive;
    }

    @Override
    public int getTrafficClass() {
        return trafficClass;
    }

    @Override
    public SocketChannelConfig setTrafficClass(int value) {
        trafficClass = value;
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return isReuseAddress;
    }

    @Override
    public SocketChannelConfig setReuseAddress(boolean isOn) {
        isReuseAddress = isOn;
        return this;
    }

    @Override
    public SocketChannelConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public boolean isAllowHalfClosure() {
        return isAllowHalfClosure;
    }

    @Override
    public SocketChannelConfig setAllowHalfClosure(boolean isAllowed) {
        isAllowHalfClosure = isAllowed;
        return this;
    }

    @Override
    public SocketChannelConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public SocketChannelConfig setMaxMessagesPerRead(int count) {
        super.setMaxMessagesPerRead(count);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public SocketChannelConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public SocketChannelConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public SocketChannelConfig setAutoRead(boolean isOn) {
        super.setAutoRead(isOn);
        return this;
    }

    @Override
    public SocketChannelConfig setAutoClose(boolean isOn) {
        super.setAutoClose(isOn);
        return this;
    }

    @Override
    public SocketChannelConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public SocketChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
        super.setWriteBufferWaterMark(mark);
        return this;
    }

    @Override
    protected void autoReadCleared() {
        owner.input().onAutoReadCleared();
    }
}
