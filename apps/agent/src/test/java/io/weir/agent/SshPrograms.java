package io.weir.agent;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.password.AcceptAllPasswordAuthenticator;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;

/** MINA SSHD at both ends, with its usual sockets: asynchronous channels. A command gives back what it is sent. */
final class SshPrograms {
    private static final byte[] LITTLE = {1};

    private SshPrograms() {}

    /** Serves until it is ended. */
    static void serve(int port, File folder) throws Exception {
        SshServer server = SshServer.setUpDefaultServer();
        server.setHost("0.0.0.0");
        server.setPort(port);
        server.setKeyPairProvider(new SimpleGeneratorHostKeyProvider(new File(folder, "host-key").toPath()));
        server.setPasswordAuthenticator(AcceptAllPasswordAuthenticator.INSTANCE);
        server.setCommandFactory((channel, command) -> new Echo(command));
        server.start();
        System.out.println("listening");
        Thread.currentThread().join();
    }

    /** What the client calls. */
    private static final class Echo extends AbstractCommandSupport {
        Echo(String command) {
            super(command, null);
        }

        @Override
        public void run() {
            try {
                getInputStream().transferTo(getOutputStream());
                getOutputStream().flush();
                onExit(0);
            } catch (IOException e) {
                onExit(1, e.toString());
            }
        }
    }

    /** A session, and another one when that has ended. */
    static final class Client implements ForeignClient {
        private final SshClient client = SshClient.setUpDefaultClient();
        private final String host;
        private final int port;
        /** Null until the first call. */
        private ClientSession session;

        Client(String host, int port) {
            this.host = host;
            this.port = port;
            client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
            client.start();
        }

        private ClientSession session() throws IOException {
            if (session == null || !session.isOpen()) {
                session = client.connect("weir", host, port).verify().getSession();
                session.addPasswordIdentity("weir");
                session.auth().verify();
            }
            return session;
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws IOException {
            ByteArrayOutputStream came = new ByteArrayOutputStream();
            try (ChannelExec command = session().createExecChannel("echo")) {
                command.setIn(new ByteArrayInputStream(bytes));
                command.setOut(came);
                command.open().verify();
                command.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), 0L);
                Integer status = command.getExitStatus();
                if (status == null || status != 0) {
                    throw new IOException("the command ended with " + status);
                }
            }
            return came.toByteArray();
        }

        @Override
        public void touch() throws IOException {
            exchange(LITTLE, 0);
        }

        @Override
        public void close() throws IOException {
            client.stop();
        }
    }
}
