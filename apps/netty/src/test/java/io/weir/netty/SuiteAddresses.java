package io.weir.netty;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;

/** Lets the addresses that are written into Netty's suite stand for those of a test's hosts. */
final class SuiteAddresses extends AddressResolverGroup<InetSocketAddress> {
    /** An address that nobody answers from, the suite's own. */
    static final String SILENT = "198.51.100.254";

    private final TwoGroups groups;

    SuiteAddresses(TwoGroups groups) {
        this.groups = groups;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetSocketAddressResolver(executor, new DefaultNameResolver(executor)) {
            @Override
            protected boolean doIsResolved(InetSocketAddress address) {
                return super.doIsResolved(address) && groups.reachable(address).equals(address);
            }

            @Override
            protected void doResolve(InetSocketAddress address, Promise<InetSocketAddress> promise) {
                promise.setSuccess(groups.reachable(address));
            }
        };
    }
}
