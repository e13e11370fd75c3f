package io.weir.cli;

/**
 * A command from another module. {@link WeirCommand} finds it with {@link java.util.ServiceLoader}. It replaces the
 * command of the same name, which stands for it where its module is missing; without such a command it comes last in
 * the list.
 */
public interface CommandProvider {
    /** {@return the command's name, as in its {@code @Command}} */
    String name();

    /** {@return a new instance of the command, for picocli} */
    Object command();
}
