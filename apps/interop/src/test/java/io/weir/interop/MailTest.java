package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.weir.nic.lab.LiveTest;
import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirSocketFactory;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/**
 * Tests Jakarta Mail, which gets its factory from {@code getDefault()} of a class, over Weir, with a mail server behind
 * a relay: a message is sent by SMTP and read by IMAP.
 */
class MailTest {
    private static final String USER = "gauge@localhost";
    private static final String LINE = "level 3.2 m at the lower weir\r\n";
    private static final int LINE_COUNT = 10_000;

    /** What is done over a link. */
    @FunctionalInterface
    private interface Use {
        void with(Properties mail) throws Exception;
    }

    private static void over(Link.Kind kind, Use use) throws Exception {
        GreenMail server =
                new GreenMail(new ServerSetup[] {ServerSetup.SMTP.dynamicPort(), ServerSetup.IMAP.dynamicPort()});
        server.setUser(USER, "weir");
        server.start();
        try (Link link = kind.open();
                Relay smtp = new Relay(link.listen(), server.getSmtp().getPort());
                Relay imap = new Relay(link.listen(), server.getImap().getPort())) {
            Properties mail = new Properties();
            set(mail, "smtp", link, smtp);
            set(mail, "imap", link, imap);
            use.with(mail);
        } finally {
            server.stop();
        }
    }

    private static void set(Properties mail, String protocol, Link link, Relay relay) {
        mail.setProperty("mail." + protocol + ".host", link.serverHost());
        mail.setProperty("mail." + protocol + ".port", Integer.toString(relay.port()));
        mail.setProperty("mail." + protocol + ".socketFactory.class", WeirSocketFactory.class.getName());
        // Otherwise it takes the kernel's sockets where ours fail.
        mail.setProperty("mail." + protocol + ".socketFactory.fallback", "false");
    }

    private static void sendAndRead(Properties mail) throws Exception {
        Session session = Session.getInstance(mail);
        String text = LINE.repeat(LINE_COUNT);
        MimeMessage sent = new MimeMessage(session);
        sent.setFrom(new InternetAddress(USER));
        sent.setRecipient(Message.RecipientType.TO, new InternetAddress(USER));
        sent.setSubject("level");
        sent.setText(text);
        Transport.send(sent);
        try (Store store = session.getStore("imap")) {
            store.connect(USER, "weir");
            try (Folder inbox = store.getFolder("INBOX")) {
                inbox.open(Folder.READ_ONLY);
                assertEquals(1, inbox.getMessageCount());
                assertEquals(
                        text.strip(),
                        inbox.getMessage(1).getContent().toString().strip());
            }
        }
    }

    @Test
    void message_sentBySmtp_isReadByImap() throws Exception {
        over(Link.Kind.MEMORY, MailTest::sendAndRead);
    }

    @LiveTest
    @Test
    void message_sentBySmtpOverAfXdp_isReadByImap() throws Exception {
        over(Link.Kind.AF_XDP, MailTest::sendAndRead);
    }

    @Test
    void message_noInterfaceIsNamed_saysWhatToSet() throws Exception {
        over(Link.Kind.MEMORY, mail -> {
            System.clearProperty(NamedTransports.INTERFACE_PROPERTY);
            MessagingException e = assertThrows(MessagingException.class, () -> sendAndRead(mail));
            String message = String.valueOf(e.getCause());
            assertTrue(message.contains("-Dweir.interface=eth0"), message);
        });
    }
}
