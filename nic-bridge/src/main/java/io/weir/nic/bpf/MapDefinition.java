package io.weir.nic.bpf;

/**
 * A map that the object asks for.
 *
 * @param name its symbol's name
 * @param type the kernel's number for the type of map
 * @param keyBytes the length of a key
 * @param valueBytes the length of a value
 * @param entryCount how many entries it holds
 * @param flags the kernel's flags for its creation
 */
record MapDefinition(String name, int type, int keyBytes, int valueBytes, int entryCount, int flags) {}
