package io.weir.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.security.MessageDigest;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests TLS over channels of Weir, by the JDK and by BoringSSL. */
@ExtendWith(LeakCheck.class)
class TlsTest {
    private static final int BYTES = 1_000_000;

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void echo_oneMegabyteByTls_comesBackUnchanged(SslProvider provider) throws Exception {
        X509Bundle bundle = new CertificateBuilder()
                .subject("cn=weir.test")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        SslContext serverTls = SslContextBuilder.forServer(bundle.toKeyManagerFactory())
                .sslProvider(provider)
                .build();
        SslContext clientTls = SslContextBuilder.forClient()
                .trustManager(bundle.getCertificate())
                .endpointIdentificationAlgorithm(null)
                .sslProvider(provider)
                .build();
        byte[] sent = new byte[BYTES];
        new Random(1).nextBytes(sent);
        try (TwoGroups groups = MemoryHosts.open()) {
            Channel server = groups.newServer()
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(serverTls.newHandler(channel.alloc()), new EchoTest.Echo());
                        }
                    })
                    .bind(groups.serverAddress())
                    .sync()
                    .channel();
            EchoTest.Collector collector = new EchoTest.Collector(BYTES);
            Channel client = groups.newClient()
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(clientTls.newHandler(channel.alloc()), collector);
                        }
                    })
                    .connect(server.localAddress())
                    .sync()
                    .channel();
            client.writeAndFlush(Unpooled.wrappedBuffer(sent)).sync();
            assertArrayEquals(hash(sent), hash(collector.all.get()));
            client.close().sync();
            server.close().sync();
        }
    }

    private static byte[] hash(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
