package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.testing.AllocationWindows;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link MemberTurns}: whose frames are read when, and that none of a quiet client is forgotten. */
@EnabledOnOs(OS.LINUX)
class MemberTurnsTest {
    private static final int CLIENTS = 40;
    /** Cycles after which clients that send nothing are quiet. */
    private static final int QUIET_AFTER = MemberTurns.EMPTY_LOOKS_MAX + 1;

    private final FramePool pool = new FramePool(64, 2048);
    private final MemberTurns turns = new MemberTurns();
    /** The sides of clients, by the numbers of members. */
    private final Map<Integer, RegionPort> clients = new HashMap<>();

    private final List<Member> members = new ArrayList<>();
    /** Numbers of members whose failures were told. */
    private final List<Integer> failed = new ArrayList<>();

    @AfterEach
    void close() {
        clients.values().forEach(RegionPort::close);
        members.forEach(member -> member.port().close());
        assertEquals(pool.frameCount(), pool.available());
    }

    private Member join(int number) throws NicException {
        RegionPort[] sides = RegionPairs.open(pool);
        Member member = new Member(number, sides[0], false, () -> failed.add(number));
        clients.put(number, sides[1]);
        members.add(member);
        turns.add(member);
        return member;
    }

    private void joinAll(int count) throws NicException {
        for (int i = 0; i < count; i++) {
            join(i);
        }
    }

    /** A client sends a frame of so many bytes. */
    private void send(int number, int lengthBytes) {
        Frame frame = pool.allocate();
        frame.setExtent(0, lengthBytes);
        clients.get(number).transmit(frame);
        clients.get(number).flush();
    }

    /** {@return the number of the client whose frame is next, or -1} */
    private int pollNumber() {
        Frame frame = turns.poll();
        if (frame == null) {
            return -1;
        }
        turns.onSent();
        frame.release();
        return turns.sender().number();
    }

    /** A cycle with the frames of so many polls, of which none is to find nothing. */
    private List<Integer> cycle() {
        List<Integer> numbers = new ArrayList<>();
        for (int number = pollNumber(); number >= 0; number = pollNumber()) {
            numbers.add(number);
        }
        turns.flush();
        return numbers;
    }

    private void makeQuiet() {
        for (int i = 0; i < QUIET_AFTER; i++) {
            assertEquals(List.of(), cycle());
        }
    }

    @Test
    void poll_severalSend_eachHasItsTurn() throws NicException {
        joinAll(3);
        int each = 12;
        for (int i = 0; i < each; i++) {
            send(0, 100);
            send(1, 100);
            send(2, 100);
        }
        List<Integer> order = cycle();
        assertEquals(3 * each, order.size());
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    1,
                    order.subList(i * each, (i + 1) * each).stream().distinct().count());
        }
    }

    @Test
    void poll_oneSendsMoreThanATurn_othersComeBetween() throws NicException {
        joinAll(2);
        for (int i = 0; i < 16; i++) {
            send(0, 100);
        }
        send(1, 100);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 2 * MemberTurns.TURN_FRAMES; i++) {
            order.add(pollNumber());
            if (order.get(i) == 0) {
                send(0, 100);
            }
        }
        assertTrue(order.indexOf(1) <= MemberTurns.TURN_FRAMES, order.toString());
        cycle();
    }

    @Test
    void poll_quietClientInACycleWithoutFrames_isFoundAtOnce() throws NicException {
        joinAll(CLIENTS);
        for (int number = 0; number < CLIENTS; number++) {
            makeQuiet();
            send(number, 100);
            assertTrue(turns.hasNext());
            assertEquals(List.of(number), cycle());
            assertFalse(turns.hasNext());
        }
    }

    /** What a cycle with frames costs does not depend on the number of quiet clients; nor are these forgotten. */
    @Test
    void poll_quietClientNextToOneThatSends_isFoundSoon() throws NicException {
        joinAll(CLIENTS);
        makeQuiet();
        for (int number = 1; number < CLIENTS; number++) {
            send(number, 100);
            int cycles = 0;
            for (boolean isFound = false; !isFound; cycles++) {
                assertTrue(cycles <= CLIENTS / MemberTurns.QUIET_LOOKS + 1, number + " is not found");
                send(0, 100);
                turns.onSent();
                isFound = cycle().contains(number);
            }
        }
    }

    @Test
    void poll_quietClientNextToOneThatNeverStops_isFoundWhileItGoesOn() throws NicException {
        joinAll(CLIENTS);
        makeQuiet();
        send(0, 100);
        assertEquals(0, pollNumber());
        send(0, 100);
        send(CLIENTS - 1, 100);
        int polls = 0;
        for (int number = 0; number != CLIENTS - 1; polls++) {
            assertTrue(polls <= 2 * CLIENTS, "it is not found");
            number = pollNumber();
            if (number == 0) {
                send(0, 100);
            }
        }
        cycle();
    }

    /** Clients come, go, send and are silent at random: each frame is read once, in order, before the loop sleeps. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void poll_anyOrderOfClients_everyFrameOnceInOrder(long seed) throws NicException {
        Random random = new Random(seed);
        Map<Integer, Integer> sent = new HashMap<>();
        Map<Integer, Integer> read = new HashMap<>();
        int joined = 0;
        for (int step = 0; step < 4_000; step++) {
            int kind = random.nextInt(100);
            if (members.size() < 2 || (kind < 4 && members.size() < CLIENTS)) {
                join(joined++);
            } else if (kind < 6) {
                leave(members.get(random.nextInt(members.size())));
            } else if (kind < 40) {
                int number = members.get(random.nextInt(members.size())).number();
                int count = sent.merge(number, 1, Integer::sum);
                send(number, 100 + count % 900);
            } else if (kind < 42) {
                for (int i = 2 + random.nextInt(2 * QUIET_AFTER); i > 0; i--) {
                    readAll(read, seed);
                }
                assertFalse(turns.hasNext(), "seed " + seed);
            } else {
                readAll(read, seed);
            }
        }
        readAll(read, seed);
        readAll(read, seed);
        for (Member member : members) {
            assertEquals(sent.get(member.number()), read.get(member.number()), "seed " + seed);
        }
        assertEquals(List.of(), failed);
    }

    private void leave(Member member) {
        // What it has not been asked for is gone with it.
        turns.remove(member);
        members.remove(member);
        clients.remove(member.number()).close();
        member.port().close();
    }

    private void readAll(Map<Integer, Integer> read, long seed) {
        for (Frame frame = turns.poll(); frame != null; frame = turns.poll()) {
            turns.onSent();
            int count = read.merge(turns.sender().number(), 1, Integer::sum);
            assertEquals(100 + count % 900, frame.length(), "seed " + seed);
            frame.release();
        }
        turns.flush();
    }

    @Test
    void flush_givenSeveralFrames_wakesOnceAndNoOther() throws NicException {
        Member given = join(0);
        Member other = join(1);
        clients.get(0).requestWake();
        clients.get(1).requestWake();
        for (int i = 0; i < 3; i++) {
            turns.onGiven(given);
            Frame frame = pool.allocate();
            frame.setExtent(0, 100);
            given.port().transmit(frame);
        }
        turns.flush();
        assertTrue(clients.get(0).onBell(), "it is not woken");
        assertFalse(clients.get(1).onBell(), "it is woken for nothing");
        turns.flush();
        assertFalse(clients.get(0).onBell(), "it is woken twice");
        assertNull(other.port().failure());
        for (int i = 0; i < 3; i++) {
            clients.get(0).receive().release();
        }
    }

    @Test
    void flush_givenInEachCycle_wakesEachTime() throws NicException {
        Member given = join(0);
        for (int i = 0; i < 3; i++) {
            clients.get(0).requestWake();
            turns.onGiven(given);
            Frame frame = pool.allocate();
            frame.setExtent(0, 100);
            given.port().transmit(frame);
            turns.flush();
            assertTrue(clients.get(0).onBell(), "it is not woken");
            clients.get(0).receive().release();
        }
    }

    @Test
    void flush_clientWithTheTurnBecomesQuiet_theOtherGoesOn() throws NicException {
        // In this order a cycle ends with the turn of the one that sends, which then moves to the front.
        join(1);
        join(0);
        for (int i = 0; i < 2 * QUIET_AFTER; i++) {
            send(0, 100);
            assertEquals(List.of(0), cycle(), "cycle " + i);
        }
        send(1, 100);
        assertEquals(List.of(1), cycle());
    }

    @Test
    void flush_quietClientIsGone_isToldOnceInACycleWithoutFrames() throws NicException {
        joinAll(CLIENTS);
        makeQuiet();
        clients.get(30).close();
        members.get(30).port().onBell();
        assertNotNull(members.get(30).port().failure());
        cycle();
        cycle();
        assertEquals(List.of(30), failed);
    }

    @Test
    void flush_quietClientIsGoneNextToOneThatSends_isTold() throws NicException {
        joinAll(CLIENTS);
        makeQuiet();
        clients.get(30).close();
        members.get(30).port().onBell();
        for (int i = 0; i <= CLIENTS / MemberTurns.QUIET_LOOKS; i++) {
            send(0, 100);
            turns.onSent();
            cycle();
        }
        assertEquals(List.of(30), failed);
    }

    @Test
    void remove_whileItHasTheTurn_othersGoOn() throws NicException {
        joinAll(3);
        makeQuiet();
        for (int number = 0; number < 3; number++) {
            send(number, 100);
            send(number, 100);
        }
        int first = pollNumber();
        leave(members.stream()
                .filter(member -> member.number() == first)
                .findFirst()
                .orElseThrow());
        turns.remove(new Member(9, members.get(0).port(), false, () -> {}));
        assertEquals(4, cycle().size());
    }

    @Test
    void poll_steadyState_allocatesNothing() throws NicException {
        joinAll(CLIENTS);
        Runnable window = () -> {
            for (int i = 0; i < 2_000; i++) {
                // They become quiet in between.
                send(i / 200 % CLIENTS, 100);
                turns.onGiven(members.get(i % CLIENTS));
                for (Frame frame = turns.poll(); frame != null; frame = turns.poll()) {
                    turns.onSent();
                    frame.release();
                }
                turns.flush();
            }
        };
        for (int i = 0; i < 40; i++) {
            window.run();
        }
        AllocationWindows.of(10, window).requireNothingInSteadyState();
    }
}
