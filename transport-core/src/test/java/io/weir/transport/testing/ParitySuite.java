package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Plays {@link ParityCase}s on the kernel's sockets and on Weir's, each once, and compares what they tell.
 *
 * @param <K> what makes the sockets of one kind
 */
public final class ParitySuite<K> {
    /** Cases of at least this many calls are sequences. */
    private static final int SEQUENCE_CALLS_MIN = 3;

    private final K kernels;
    private final K ours;
    private final List<ParityCase<K>> cases;
    private final AllowedDifferences allowed;
    private final Map<String, Map<String, String>> ofTheKernel = new HashMap<>();
    private final Map<String, Map<String, String>> ofWeir = new HashMap<>();

    /** Creates a suite that has played nothing. */
    public ParitySuite(K kernels, K ours, List<ParityCase<K>> cases, AllowedDifferences allowed) {
        this.kernels = kernels;
        this.ours = ours;
        this.cases =
                cases.stream().filter(parityCase -> parityCase.isPlayable()).toList();
        this.allowed = allowed;
    }

    private void play(ParityCase<K> parityCase) throws Exception {
        if (!ofWeir.containsKey(parityCase.name())) {
            ofTheKernel.put(parityCase.name(), parityCase.playOn(kernels));
            ofWeir.put(parityCase.name(), parityCase.playOn(ours));
        }
    }

    private void playAll() throws Exception {
        for (ParityCase<K> parityCase : cases) {
            play(parityCase);
        }
    }

    /** Fails unless a case tells the same on both kinds, but for what is allowed. */
    public void requireTheSame(ParityCase<K> parityCase) throws Exception {
        play(parityCase);
        String name = parityCase.name();
        assertEquals(List.of(), allowed.forbidden(name, ofTheKernel.get(name), ofWeir.get(name)));
    }

    /** Fails unless there are this many sequences of three calls and more, with different names. */
    public void requireSequences(int countMin) throws Exception {
        playAll();
        Set<String> names = new HashSet<>();
        int sequences = 0;
        for (ParityCase<K> parityCase : cases) {
            assertTrue(names.add(parityCase.name()), parityCase + " is there twice");
            sequences += ofWeir.get(parityCase.name()).size() >= SEQUENCE_CALLS_MIN ? 1 : 0;
        }
        assertTrue(sequences >= countMin, sequences + " sequences");
    }

    /** Fails unless every difference that is allowed is there, and a document has the table of them. */
    public void requireTable(String document, String block) throws Exception {
        playAll();
        assertEquals(List.of(), allowed.unused(ofTheKernel, ofWeir));
        Document.requireBlock(document, block, allowed.table(ofTheKernel, ofWeir));
    }
}
