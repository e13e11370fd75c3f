package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.socket.SocketChannel;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.AbstractSocketShutdownOutputByPeerTest;
import io.netty.testsuite.transport.socket.CompositeBufferGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketAddressesTest;
import io.netty.testsuite.transport.socket.SocketAutoReadTest;
import io.netty.testsuite.transport.socket.SocketBufReleaseTest;
import io.netty.testsuite.transport.socket.SocketCancelWriteTest;
import io.netty.testsuite.transport.socket.SocketChannelNotYetConnectedTest;
import io.netty.testsuite.transport.socket.SocketCloseForciblyTest;
import io.netty.testsuite.transport.socket.SocketConditionalWritabilityTest;
import io.netty.testsuite.transport.socket.SocketConnectTest;
import io.netty.testsuite.transport.socket.SocketConnectionAttemptTest;
import io.netty.testsuite.transport.socket.SocketDataReadInitialStateTest;
import io.netty.testsuite.transport.socket.SocketEchoTest;
import io.netty.testsuite.transport.socket.SocketExceptionHandlingTest;
import io.netty.testsuite.transport.socket.SocketFileRegionTest;
import io.netty.testsuite.transport.socket.SocketFixedLengthEchoTest;
import io.netty.testsuite.transport.socket.SocketGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketHalfClosedTest;
import io.netty.testsuite.transport.socket.SocketMultipleConnectTest;
import io.netty.testsuite.transport.socket.SocketObjectEchoTest;
import io.netty.testsuite.transport.socket.SocketReadPendingTest;
import io.netty.testsuite.transport.socket.SocketRstTest;
import io.netty.testsuite.transport.socket.SocketShutdownOutputBySelfTest;
import io.netty.testsuite.transport.socket.SocketSpdyEchoTest;
import io.netty.testsuite.transport.socket.SocketSslClientRenegotiateTest;
import io.netty.testsuite.transport.socket.SocketSslEchoTest;
import io.netty.testsuite.transport.socket.SocketSslGreetingTest;
import io.netty.testsuite.transport.socket.SocketSslSessionReuseTest;
import io.netty.testsuite.transport.socket.SocketStartTlsTest;
import io.netty.testsuite.transport.socket.SocketStringEchoTest;
import io.netty.testsuite.transport.socket.WriteBeforeRegisteredTest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Netty's own tests of stream transports, on some network: {@link #groups} says which. Not here: the suite's tests of
 * datagrams, of file descriptors and of Netty's own transports.
 */
@ExtendWith(LeakCheck.class)
abstract class StreamSuite {
    /** {@return the two hosts that the tests run between} */
    abstract TwoGroups groups();

    /** How many echoes by TLS the suite has asked for, which are most of its tests. */
    private static int sslEchoes;

    /** {@return of how many echoes by TLS one is run} */
    int sslEchoesPerRun() {
        return 1;
    }

    /** {@return which of the suite's allocators to run each test with} */
    List<ByteBufAllocator> allocators(List<ByteBufAllocator> all) {
        return all;
    }

    /** Runs {@link SocketAddressesTest}. */
    @Nested
    class Addresses extends SocketAddressesTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            // The test binds both ends to it, which have different ones.
            return new InetSocketAddress(0);
        }

        @Override
        protected void assertAddress(SocketAddress address) {
            InetSocketAddress inet = (InetSocketAddress) address;
            assertTrue(inet.getPort() > 0);
            assertFalse(inet.getAddress().isAnyLocalAddress());
        }
    }

    /** Runs {@link CompositeBufferGatheringWriteTest}. */
    @Nested
    class CompositeBuffers extends CompositeBufferGatheringWriteTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketAutoReadTest}. */
    @Nested
    class AutoRead extends SocketAutoReadTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketBufReleaseTest}. */
    @Nested
    class BufferRelease extends SocketBufReleaseTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketCancelWriteTest}. */
    @Nested
    class CancelWrite extends SocketCancelWriteTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketCloseForciblyTest}. */
    @Nested
    class CloseForcibly extends SocketCloseForciblyTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketConditionalWritabilityTest}. */
    @Nested
    class ConditionalWritability extends SocketConditionalWritabilityTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketDataReadInitialStateTest}. */
    @Nested
    class DataReadInitialState extends SocketDataReadInitialStateTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketEchoTest}. */
    @Nested
    class Echo extends SocketEchoTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketExceptionHandlingTest}. */
    @Nested
    class ExceptionHandling extends SocketExceptionHandlingTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketFileRegionTest}. */
    @Nested
    class FileRegions extends SocketFileRegionTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketFixedLengthEchoTest}. */
    @Nested
    class FixedLengthEcho extends SocketFixedLengthEchoTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketGatheringWriteTest}. */
    @Nested
    class GatheringWrite extends SocketGatheringWriteTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketHalfClosedTest}. */
    @Nested
    class HalfClosed extends SocketHalfClosedTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        /** The suite's own blocks its event loop until the peer has answered; the stack runs in that loop. */
        @Override
        public void testAutoCloseFalseDoesShutdownOutput(ServerBootstrap server, Bootstrap client) throws Exception {
            SuitePeers.writeAfterReset(server, client);
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketObjectEchoTest}. */
    @Nested
    class ObjectEcho extends SocketObjectEchoTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketReadPendingTest}. */
    @Nested
    class ReadPending extends SocketReadPendingTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketRstTest}. */
    @Nested
    class Reset extends SocketRstTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketSpdyEchoTest}. */
    @Nested
    class SpdyEcho extends SocketSpdyEchoTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketSslClientRenegotiateTest}. */
    @Nested
    class SslRenegotiate extends SocketSslClientRenegotiateTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketSslEchoTest}. */
    @Nested
    class SslEcho extends SocketSslEchoTest {
        /** One of the suite's two: these are half of all tests, and about TLS. */
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return super.newAllocators().subList(0, 1);
        }

        @Override
        protected void run(TestInfo info, Runner<ServerBootstrap, Bootstrap> runner) throws Throwable {
            assumeTrue(sslEchoes++ % sslEchoesPerRun() == 0, "one of " + sslEchoesPerRun() + " is run here");
            super.run(info, runner);
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketSslGreetingTest}. */
    @Nested
    class SslGreeting extends SocketSslGreetingTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketSslSessionReuseTest}. */
    @Nested
    class SslSessionReuse extends SocketSslSessionReuseTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketStartTlsTest}. */
    @Nested
    class StartTls extends SocketStartTlsTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketStringEchoTest}. */
    @Nested
    class StringEcho extends SocketStringEchoTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketConnectTest}. */
    @Nested
    class Connect extends SocketConnectTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketMultipleConnectTest}. */
    @Nested
    class MultipleConnect extends SocketMultipleConnectTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return groups().pairs();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }
    }

    /** Runs {@link SocketConnectionAttemptTest}. */
    @Nested
    class ConnectionAttempt extends SocketConnectionAttemptTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return groups().clients();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return new InetSocketAddress(0);
        }
    }

    /** Runs {@link SocketChannelNotYetConnectedTest}. */
    @Nested
    class ChannelNotYetConnected extends SocketChannelNotYetConnectedTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        /** The suite's own has a server of another transport. */
        @Test
        @Override
        public void readMustBePendingUntilChannelIsActive(TestInfo info) throws Throwable {
            run(info, client -> SuitePeers.readBeforeActive(groups(), client));
        }

        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return groups().clients();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return new InetSocketAddress(0);
        }
    }

    /** Runs {@link WriteBeforeRegisteredTest}. */
    @Nested
    class WriteBeforeRegistered extends WriteBeforeRegisteredTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return groups().clients();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return new InetSocketAddress(0);
        }
    }

    /** Runs {@link AbstractSocketShutdownOutputByPeerTest} with a peer that has a socket of Weir's. */
    @Nested
    class ShutdownOutputByPeer extends AbstractSocketShutdownOutputByPeerTest<SuitePeers.Client> {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapFactory<ServerBootstrap>> newFactories() {
            return groups().servers();
        }

        @Override
        protected SocketAddress newSocketAddress() {
            return groups().serverAddress();
        }

        @Override
        protected SuitePeers.Client newSocket() {
            return new SuitePeers.Client(groups().clientTransport());
        }

        @Override
        protected void connect(SuitePeers.Client peer, SocketAddress address) throws IOException {
            peer.connect((InetSocketAddress) address);
        }

        @Override
        protected void write(SuitePeers.Client peer, int data) throws IOException {
            peer.write(data);
        }

        @Override
        protected void shutdownOutput(SuitePeers.Client peer) throws IOException {
            peer.shutdownOutput();
        }

        @Override
        protected void close(SuitePeers.Client peer) {
            peer.close();
        }
    }

    /** Runs what {@link SocketShutdownOutputBySelfTest} asks for: its own peers are sockets of the kernel. */
    @Nested
    class ShutdownOutputBySelf extends SocketShutdownOutputBySelfTest {
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return allocators(super.newAllocators());
        }

        @Override
        protected List<BootstrapFactory<Bootstrap>> newFactories() {
            return groups().clients();
        }

        @Override
        public void testShutdownOutput(Bootstrap client) throws Throwable {
            SuitePeers.shutdownOutput(groups(), client);
        }

        @Override
        public void testShutdownOutputAfterClosed(Bootstrap client) throws Throwable {
            SuitePeers.shutdownAfterClosed(groups(), client);
        }

        @Override
        public void testShutdownOutputSoLingerNoAssertError(Bootstrap client) throws Throwable {
            SuitePeers.shutdownWithLinger(groups(), client, SocketChannel::shutdownOutput);
        }

        @Override
        public void testShutdownSoLingerNoAssertError(Bootstrap client) throws Throwable {
            SuitePeers.shutdownWithLinger(groups(), client, SocketChannel::shutdown);
        }
    }
}
