/**
 * Real ports for Weir. Layers, each using only those before it: this package (errors); {@code ffi}, the only one that
 * knows the foreign-function library; {@code net}, interfaces, routes and namespaces; {@code bpf}, the loader of the
 * XDP programs; {@code xdp}, the AF_XDP port; {@code lab}, networks of namespaces for tests and demonstrations; {@code
 * switching}, a software switch over ports of any kind. {@code thread}, what a loop's thread asks of the scheduler,
 * uses the first two only.
 *
 * <p>Whatever the environment refuses becomes a {@link io.weir.nic.NicException} that names the error and a remedy.
 */
package io.weir.nic;
