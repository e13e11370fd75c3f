package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import io.weir.nic.lab.LiveTest;
import io.weir.transport.jdk.NamedTransports;
import io.weir.transport.jdk.WeirServerSocketFactory;
import io.weir.transport.jdk.WeirSocketFactory;
import java.util.Hashtable;
import java.util.Map;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NamingEnumeration;
import javax.naming.directory.InitialDirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import org.junit.jupiter.api.Test;

/** Tests the JDK's LDAP client, which calls {@code getDefault()} of a factory's class, with a directory on Weir. */
class LdapTest {
    private static final int ENTRY_COUNT = 500;

    /** What is done over a link. */
    @FunctionalInterface
    private interface Use {
        void with(String url) throws Exception;
    }

    private static void over(Link.Kind kind, Use use) throws Exception {
        try (Link link = kind.open()) {
            InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=weir");
            config.setListenerConfigs(new InMemoryListenerConfig(
                    "weir", null, 0, new WeirServerSocketFactory(link.pair().server()), link.sockets(), null));
            try (InMemoryDirectoryServer server = new InMemoryDirectoryServer(config)) {
                server.add("dn: dc=weir", "objectClass: domain", "dc: weir");
                for (int i = 0; i < ENTRY_COUNT; i++) {
                    server.add("dn: cn=gauge" + i + ",dc=weir", "objectClass: device", "cn: gauge" + i);
                }
                server.startListening();
                use.with("ldap://" + link.serverHost() + ":" + server.getListenPort("weir") + "/dc=weir");
            }
        }
    }

    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // what is tested, with a directory of the test
    private static int search(String url, Map<String, String> further) throws Exception {
        Hashtable<String, String> environment = new Hashtable<>(further);
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, url);
        environment.put("java.naming.ldap.factory.socket", WeirSocketFactory.class.getName());
        InitialDirContext context = new InitialDirContext(environment);
        try {
            int count = 0;
            NamingEnumeration<SearchResult> found = context.search("", "(objectClass=device)", new SearchControls());
            while (found.hasMore()) {
                assertTrue(found.next().getName().startsWith("cn=gauge"));
                count++;
            }
            return count;
        } finally {
            context.close();
        }
    }

    @Test
    void search_byTheJdksClient_findsAll() throws Exception {
        over(Link.Kind.MEMORY, url -> assertEquals(ENTRY_COUNT, search(url, Map.of())));
    }

    @LiveTest
    @Test
    void search_byTheJdksClientOverAfXdp_findsAll() throws Exception {
        over(Link.Kind.AF_XDP, url -> assertEquals(ENTRY_COUNT, search(url, Map.of())));
    }

    @Test
    void search_withTimeouts_findsAll() throws Exception {
        // The client then connects the socket itself.
        over(
                Link.Kind.MEMORY,
                url -> assertEquals(
                        ENTRY_COUNT,
                        search(
                                url,
                                Map.of(
                                        "com.sun.jndi.ldap.connect.timeout", "300000",
                                        "com.sun.jndi.ldap.read.timeout", "300000"))));
    }

    @Test
    void search_noInterfaceIsNamed_saysWhatToSet() throws Exception {
        over(Link.Kind.MEMORY, url -> {
            System.clearProperty(NamedTransports.INTERFACE_PROPERTY);
            CommunicationException e = assertThrows(CommunicationException.class, () -> search(url, Map.of()));
            String message = String.valueOf(e.getRootCause());
            assertTrue(message.contains("-Dweir.interface=eth0"), message);
        });
    }
}
