package io.weir.nic.bpf;

import io.weir.nic.NicException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Weir's built XDP object, taken apart: programs by name and the maps that they refer to.
 *
 * <p>The conventions are those of weir_xdp.bpf.c: programs in sections {@code xdp/NAME}, maps as five 32-bit words each
 * in the section {@code maps}, the license in {@code license}.
 */
final class BpfObject {
    /** What any kernel of 5.9 or newer loads. */
    static final String PLAIN = "io/weir/xdp/weir_xdp.bpf.o";
    /** What asks a device for time stamps. */
    static final String STAMPS = "io/weir/xdp/weir_xdp_stamps.bpf.o";

    private static final String PROGRAM_PREFIX = "xdp/";
    private static final String MAPS = "maps";
    private static final String LICENSE = "license";
    private static final int MAP_BYTES = 5 * Integer.BYTES;
    private static final int INSTRUCTION_BYTES = 8;
    private static final int RELOCATION_BYTES = 16;
    private static final int RELOCATION_64_64 = 1;
    private static final int RELOCATION_CALL = 10;
    private static final int OPCODE_CALL = (byte) 0x85;
    private static final int UNDEFINED = 0;
    private static final int OPCODE_LOAD_64 = 0x18;

    private final ElfReader elf;
    private final Map<String, ProgramImage> programs = new LinkedHashMap<>();

    private BpfObject(byte[] bytes) throws NicException {
        elf = new ElfReader(bytes);
        String license = license();
        Map<Integer, MapDefinition> maps = maps();
        for (ElfReader.Section section : elf.sections()) {
            if (section.name().startsWith(PROGRAM_PREFIX) && (section.flags() & ElfReader.FLAG_EXECUTABLE) != 0) {
                ProgramImage image = program(section, license, maps);
                programs.put(image.name(), image);
            }
        }
        ElfReader.require(!programs.isEmpty(), "it has no program");
    }

    /** {@return the object whose file holds {@code bytes}} */
    static BpfObject parse(byte[] bytes) throws NicException {
        return new BpfObject(bytes);
    }

    /** {@return the object that comes with Weir as this resource} */
    static BpfObject bundled(String resource) throws NicException {
        // By the loader: the resource is in another module, where there are modules.
        try (InputStream stream = BpfObject.class.getClassLoader().getResourceAsStream(resource)) {
            if (stream == null) {
                throw new NicException("the XDP object " + resource + " is not on the class path; add weir-native");
            }
            return parse(stream.readAllBytes());
        } catch (NicException e) {
            throw e;
        } catch (IOException e) {
            throw new NicException("read the XDP object " + resource + ": " + e.getMessage(), e);
        }
    }

    /** {@return the program called {@code name}} */
    ProgramImage program(String name) throws NicException {
        ProgramImage image = programs.get(name);
        ElfReader.require(image != null, "it has no program " + name + " but " + programs.keySet());
        return image;
    }

    private String license() throws NicException {
        ByteBuffer bytes = elf.bytes(elf.section(LICENSE));
        int length = bytes.remaining() - 1;
        ElfReader.require(length > 0 && bytes.get(length) == 0, "its license does not end");
        return StandardCharsets.US_ASCII.decode(bytes.limit(length)).toString();
    }

    /** The maps by their offset in the section, as relocations name them. */
    private Map<Integer, MapDefinition> maps() throws NicException {
        ElfReader.Section section = elf.section(MAPS);
        ByteBuffer bytes = elf.bytes(section);
        Map<Integer, MapDefinition> maps = new LinkedHashMap<>();
        for (ElfReader.Symbol symbol : elf.symbols()) {
            if (symbol.sectionIndex() != section.index() || symbol.name().isEmpty()) {
                continue;
            }
            long at = symbol.value();
            ElfReader.require(
                    at >= 0 && at % Integer.BYTES == 0 && at <= bytes.capacity() - MAP_BYTES,
                    "map " + symbol.name() + " lies at " + at + " of " + bytes.capacity());
            int offset = (int) at;
            maps.put(
                    offset,
                    new MapDefinition(
                            symbol.name(),
                            bytes.getInt(offset),
                            bytes.getInt(offset + 4),
                            bytes.getInt(offset + 8),
                            bytes.getInt(offset + 12),
                            bytes.getInt(offset + 16)));
        }
        return maps;
    }

    private ProgramImage program(ElfReader.Section section, String license, Map<Integer, MapDefinition> maps)
            throws NicException {
        String name = section.name().substring(PROGRAM_PREFIX.length());
        int length = section.lengthBytes();
        ElfReader.require(
                length > 0 && length % INSTRUCTION_BYTES == 0,
                "program " + name + " has " + length + " bytes, not a multiple of 8");
        byte[] instructions = new byte[length];
        elf.bytes(section).get(instructions);
        References references = new References(new ArrayList<>(), new ArrayList<>());
        for (ElfReader.Section relocations : elf.sections()) {
            if (relocations.type() == ElfReader.TYPE_RELOCATIONS && relocations.info() == section.index()) {
                readReferences(relocations, instructions, maps, references);
            }
        }
        return new ProgramImage(
                name,
                ByteBuffer.wrap(instructions),
                license,
                List.copyOf(references.maps()),
                List.copyOf(references.calls()));
    }

    private void readReferences(
            ElfReader.Section relocations, byte[] instructions, Map<Integer, MapDefinition> maps, References references)
            throws NicException {
        ByteBuffer bytes = elf.bytes(relocations);
        ElfReader.require(bytes.capacity() % RELOCATION_BYTES == 0, relocations.name() + " is cut off");
        for (int at = 0; at < bytes.capacity(); at += RELOCATION_BYTES) {
            long offset = bytes.getLong(at);
            int type = bytes.getInt(at + 8);
            ElfReader.Symbol symbol = elf.symbol(bytes.getInt(at + 12));
            if (type == RELOCATION_CALL) {
                references.calls().add(call(symbol, offset, instructions));
                continue;
            }
            ElfReader.require(type == RELOCATION_64_64, "relocation " + at + " has type " + type + ", not 1 or 10");
            boolean loads = offset >= 0
                    && offset % INSTRUCTION_BYTES == 0
                    && offset <= instructions.length - 2L * INSTRUCTION_BYTES
                    && instructions[(int) offset] == OPCODE_LOAD_64;
            ElfReader.require(loads, "relocation " + at + " is for " + offset + ", which loads no address");
            MapDefinition map =
                    symbol.sectionIndex() == elf.section(MAPS).index() ? maps.get((int) symbol.value()) : null;
            ElfReader.require(map != null, "relocation " + at + " names " + symbol.name() + ", which is no map");
            references.maps().add(new ProgramImage.MapReference((int) offset, map));
        }
    }

    private static ProgramImage.KernelCall call(ElfReader.Symbol symbol, long offset, byte[] instructions)
            throws NicException {
        boolean calls = offset >= 0
                && offset % INSTRUCTION_BYTES == 0
                && offset <= instructions.length - (long) INSTRUCTION_BYTES
                && instructions[(int) offset] == OPCODE_CALL;
        ElfReader.require(
                calls && symbol.sectionIndex() == UNDEFINED && !symbol.name().isEmpty(),
                "the relocation for " + offset + " names " + symbol.name() + ", which is no call of the kernel");
        return new ProgramImage.KernelCall((int) offset, symbol.name());
    }

    /** What the instructions of a program refer to. */
    private record References(List<ProgramImage.MapReference> maps, List<ProgramImage.KernelCall> calls) {}
}
