/**
 * The C library, reached by jnr-ffi: the only package that knows the foreign-function library. Structures are laid out
 * by callers in {@link io.weir.nic.ffi.NativeMemory}; results are the kernel's own: negative is minus the error number.
 */
package io.weir.nic.ffi;
