package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.xdp.ArrivalWatch.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link ArrivalWatch} with counts that no kernel keeps. */
class ArrivalWatchTest {
    private final ArrivalWatch watch = new ArrivalWatch();
    private int received;
    private int sent;
    private long interfaceFrames = 1_000;
    private long withoutSocket;
    private int questions;

    private final ArrivalWatch.Counts counts = new ArrivalWatch.Counts() {
        @Override
        public long interfaceFrames() {
            questions++;
            return interfaceFrames;
        }

        @Override
        public long withoutSocket() {
            questions++;
            return withoutSocket;
        }
    };

    private Step look() {
        return watch.onLook(received, sent, counts);
    }

    /** Looks until something is to be done, while the interface receives {@code frames} between two looks. */
    private int looksUntil(Step step, int frames) {
        for (int looks = 1; looks <= 1_000; looks++) {
            Step found = look();
            if (found != Step.NOTHING) {
                assertEquals(step, found);
                return looks;
            }
            interfaceFrames += frames;
        }
        throw new AssertionError("no " + step);
    }

    private void heard() {
        received++;
        assertEquals(Step.NOTHING, look());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Integer.MAX_VALUE - 1, -3})
    void onLook_framesThatVanish_fallsAfterTwoConfirmations(int start) {
        received = start;
        sent = start;
        heard();
        sent += 3;
        looksUntil(Step.TAKE_SOCKETS_OUT, 2);
        withoutSocket += 5;
        assertEquals(Step.PUT_SOCKETS_BACK, look());
        assertEquals(Step.NOTHING, look());
        assertEquals(Step.TAKE_SOCKETS_OUT, look());
        withoutSocket += 1;
        assertEquals(Step.PUT_SOCKETS_BACK, look());
        assertEquals(Step.NOTHING, look());
        assertEquals(Step.FALL, look());
        // The next rung begins from nothing.
        assertEquals(Step.NOTHING, look());
    }

    @Test
    void onLook_portThatNeverHeardAnything_isSuspiciousWithoutSending() {
        List<Integer> waits = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waits.add(looksUntil(Step.TAKE_SOCKETS_OUT, 2));
            assertEquals(Step.PUT_SOCKETS_BACK, look());
        }
        assertEquals(List.of(16, 32, 64, 128, 256), waits);
    }

    @Test
    void onLook_portThatHeardAndSendsLittle_isLeftAlone() {
        heard();
        questions = 0;
        sent += 2;
        for (int i = 0; i < 1_000; i++) {
            interfaceFrames += 10;
            assertEquals(Step.NOTHING, look());
        }
        assertEquals(0, questions, "nothing costs a system call");
    }

    @Test
    void onLook_framesArrive_costsNothing() {
        for (int i = 0; i < 1_000; i++) {
            sent += 100;
            interfaceFrames += 10;
            heard();
        }
        assertEquals(0, questions);
    }

    @Test
    void onLook_interfaceThatReceivesNothing_isNoFaultOfThePort() {
        sent += 1_000;
        for (int i = 0; i < 1_000; i++) {
            assertEquals(Step.NOTHING, look());
        }
    }

    @Test
    void onLook_silentPeer_isAskedLessAndLess() {
        heard();
        sent += 100;
        List<Integer> waits = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waits.add(looksUntil(Step.TAKE_SOCKETS_OUT, 3));
            assertEquals(Step.PUT_SOCKETS_BACK, look());
        }
        assertEquals(List.of(2, 4, 8, 16, 32, 64, 128, 256, 256, 256), waits);
    }

    @Test
    void onLook_peerThatBeginsToSpeakWhileSocketsAreOut_isHeardAfterwards() {
        heard();
        sent += 3;
        looksUntil(Step.TAKE_SOCKETS_OUT, 1);
        withoutSocket++;
        assertEquals(Step.PUT_SOCKETS_BACK, look());
        heard();
        for (int i = 0; i < 100; i++) {
            interfaceFrames += 10;
            assertEquals(Step.NOTHING, look());
        }
    }

    @Test
    void onLook_oneCountAndThenNone_isNotConfirmed() {
        heard();
        sent += 3;
        looksUntil(Step.TAKE_SOCKETS_OUT, 1);
        withoutSocket++;
        assertEquals(Step.PUT_SOCKETS_BACK, look());
        assertEquals(Step.NOTHING, look());
        assertEquals(Step.TAKE_SOCKETS_OUT, look());
        assertEquals(Step.PUT_SOCKETS_BACK, look());
        for (int i = 0; i < 3; i++) {
            assertEquals(Step.NOTHING, look());
        }
    }
}
