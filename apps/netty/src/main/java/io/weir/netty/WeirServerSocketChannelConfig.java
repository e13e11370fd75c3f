package io.weir.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannelConfig;
import io.netty.util.NetUtil;
import io.weir.transport.socket.TransportConfig;
import java.util.Map;

/**
 * The options of a {@link WeirServerSocketChannel}. SO_BACKLOG counts connections that stand and that the pipeline has
 * not been given; more are refused. SO_REUSEADDR, SO_RCVBUF and TCP_FASTOPEN are kept and change nothing.
 */
public final class WeirServerSocketChannelConfig extends DefaultChannelConfig implements ServerSocketChannelConfig {
    private volatile int backlog = NetUtil.SOMAXCONN;
    private volatile boolean isReuseAddress = true;
    private volatile int fastOpen;
    private volatile int receiveBufferBytes = TransportConfig.DEFAULT.streams().receiveBufferBytes();

    WeirServerSocketChannelConfig(WeirServerSocketChannel channel) {
        super(channel, new ServerChannelRecvByteBufAllocator());
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(
                super.getOptions(),
                ChannelOption.SO_BACKLOG,
                ChannelOption.SO_REUSEADDR,
                ChannelOption.SO_RCVBUF,
                ChannelOption.TCP_FASTOPEN);
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
    }) // Netty's signature: the option's type is the value's
    public <T> T getOption(ChannelOption<T> option) {
        Object value = null;
        if (option.equals(ChannelOption.SO_BACKLOG)) {
            value = getBacklog();
        } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
            value = isReuseAddress();
        } else if (option.equals(ChannelOption.SO_RCVBUF)) {
            value = getReceiveBufferSize();
        } else if (option.equals(ChannelOption.TCP_FASTOPEN)) {
            value = fastOpen;
        }
        return value == null ? super.getOption(option) : (T) value;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        if (option.equals(ChannelOption.SO_BACKLOG)) {
            setBacklog((Integer) value);
        } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
            setReuseAddress((Boolean) value);
        } else if (option.equals(ChannelOption.SO_RCVBUF)) {
            setReceiveBufferSize((Integer) value);
        } else if (option.equals(ChannelOption.TCP_FASTOPEN)) {
            fastOpen = (Integer) value;
        } else {
            return super.setOption(option, value);
        }
        return true;
    }

    @Override
    public int getBacklog() {
        return backlog;
    }

    @Override
    public ServerSocketChannelConfig setBacklog(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("SO_BACKLOG=" + count + " is negative; give 0 for one, or more");
        }
        backlog = Math.max(1, count);
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return isReuseAddress;
    }

    @Override
    public ServerSocketChannelConfig setReuseAddress(boolean isOn) {
        isReuseAddress = isOn;
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return receiveBufferBytes;
    }

    @Override
    public ServerSocketChannelConfig setReceiveBufferSize(int bytes) {
        receiveBufferBytes = bytes;
        return this;
    }

    @Override
    public ServerSocketChannelConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public ServerSocketChannelConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public ServerSocketChannelConfig setMaxMessagesPerRead(int count) {
        super.setMaxMessagesPerRead(count);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setAutoRead(boolean isOn) {
        super.setAutoRead(isOn);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferHighWaterMark(int bytes) {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferLowWaterMark(int bytes) {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }

    @Override
    public ServerSocketChannelConfig setWriteBufferWaterMark(WriteBufferWaterMark mark) {
        super.setWriteBufferWaterMark(mark);
        return this;
    }
}
