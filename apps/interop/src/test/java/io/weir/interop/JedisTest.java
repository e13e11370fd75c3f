package io.weir.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.lab.LiveTest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Tests Jedis over Weir, with a real Redis behind a relay. */
class JedisTest {
    private static final int LARGE_BYTES = 10 << 20;

    @TempDir
    static Path folder;

    private static ServerProcess redis;

    /** What is done over a link. */
    @FunctionalInterface
    private interface Use {
        void with(JedisSocketFactory sockets) throws Exception;
    }

    @BeforeAll
    static void start() throws Exception {
        redis = ServerProcess.redis(folder);
    }

    @AfterAll
    static void stop() {
        if (redis != null) {
            redis.close();
        }
    }

    private static void over(Link.Kind kind, Use use) throws Exception {
        try (Link link = kind.open();
                Relay relay = new Relay(link.listen(), redis.port())) {
            use.with(() -> {
                try {
                    return link.sockets().createSocket(link.serverHost(), relay.port());
                } catch (IOException e) {
                    throw new JedisConnectionException(e);
                }
            });
        }
    }

    private static JedisClientConfig config(int timeoutMillis) {
        return DefaultJedisClientConfig.builder()
                .socketTimeoutMillis(timeoutMillis)
                .build();
    }

    private static Jedis open(JedisSocketFactory sockets) {
        return new Jedis(sockets, config(0));
    }

    @Test
    void valuesAndPipelines_largeAndMany_arrive() throws Exception {
        over(Link.Kind.MEMORY, JedisTest::useValuesAndPipelines);
    }

    @LiveTest
    @Test
    void valuesAndPipelinesOverAfXdp_largeAndMany_arrive() throws Exception {
        over(Link.Kind.AF_XDP, JedisTest::useValuesAndPipelines);
    }

    private static void useValuesAndPipelines(JedisSocketFactory sockets) {
        byte[] value = new byte[LARGE_BYTES];
        new Random(1).nextBytes(value);
        byte[] key = "large".getBytes(StandardCharsets.UTF_8);
        try (Jedis jedis = open(sockets)) {
            jedis.set(key, value);
            assertArrayEquals(value, jedis.get(key));
            List<Response<Long>> answers = new ArrayList<>();
            jedis.del("count");
            Pipeline pipeline = jedis.pipelined();
            for (int i = 0; i < 10_000; i++) {
                answers.add(pipeline.incr("count"));
            }
            pipeline.sync();
            for (int i = 0; i < 10_000; i++) {
                assertEquals(i + 1, answers.get(i).get());
            }
        }
    }

    @Test
    void subscribe_messagesOfAnother_arriveInOrder() throws Exception {
        over(Link.Kind.MEMORY, sockets -> {
            List<String> heard = new ArrayList<>();
            CountDownLatch subscribed = new CountDownLatch(1);
            FutureTask<List<String>> subscriber = new FutureTask<>(() -> {
                try (Jedis jedis = open(sockets)) {
                    jedis.subscribe(
                            new JedisPubSub() {
                                @Override
                                public void onSubscribe(String channel, int count) {
                                    subscribed.countDown();
                                }

                                @Override
                                public void onMessage(String channel, String message) {
                                    heard.add(message);
                                    if (heard.size() == 100) {
                                        unsubscribe();
                                    }
                                }
                            },
                            "levels");
                }
                return heard;
            });
            new Thread(subscriber, "subscriber").start();
            subscribed.await();
            List<String> told = new ArrayList<>();
            try (Jedis jedis = open(sockets)) {
                for (int i = 0; i < 100; i++) {
                    told.add("level " + i);
                    jedis.publish("levels", "level " + i);
                }
            }
            assertEquals(told, subscriber.get());
        });
    }

    @Test
    void pool_manyThreads_shareConnections() throws Exception {
        over(Link.Kind.MEMORY, sockets -> {
            GenericObjectPoolConfig<Jedis> four = new GenericObjectPoolConfig<>();
            four.setMaxTotal(4);
            four.setTestOnBorrow(true);
            try (JedisPool pool = new JedisPool(four, sockets, config(0))) {
                List<FutureTask<Void>> workers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    FutureTask<Void> worker = new FutureTask<>(() -> {
                        for (int n = 0; n < 200; n++) {
                            try (Jedis jedis = pool.getResource()) {
                                jedis.incr("shared");
                            }
                        }
                        return null;
                    });
                    workers.add(worker);
                    new Thread(worker, "worker").start();
                }
                for (FutureTask<Void> worker : workers) {
                    worker.get();
                }
                try (Jedis jedis = pool.getResource()) {
                    assertEquals("1600", jedis.get("shared"));
                }
            }
        });
    }

    @Test
    void blockingPop_nothingComes_endsWithTheSocketsTimeout() throws Exception {
        over(Link.Kind.MEMORY, sockets -> {
            JedisClientConfig blocking = DefaultJedisClientConfig.builder()
                    .blockingSocketTimeoutMillis(50)
                    .build();
            try (Jedis jedis = new Jedis(sockets, blocking)) {
                JedisConnectionException e =
                        assertThrows(JedisConnectionException.class, () -> jedis.blpop(0, "nothing"));
                assertInstanceOf(SocketTimeoutException.class, e.getCause());
            }
        });
    }
}
