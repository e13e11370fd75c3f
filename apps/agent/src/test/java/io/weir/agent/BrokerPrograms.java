package io.weir.agent;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;

/** Kafka's broker with its clients, and RabbitMQ's client. */
final class BrokerPrograms {
    private static final byte[] LITTLE = {1};
    private static final int CONTROLLER_PORT = 7_071;
    private static final Uuid CLUSTER = new Uuid(1, 2);

    private BrokerPrograms() {}

    /** Serves until it is ended; what it had in the folder is there again. */
    static void serveKafka(int port, File folder) throws Exception {
        // What clients are told: they come from the other host.
        String host = address();
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "controller.quorum.voters", "1@127.0.0.1:" + CONTROLLER_PORT,
                "controller.listener.names", "CONTROLLER",
                "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                "listeners", "PLAINTEXT://" + host + ":" + port + ",CONTROLLER://127.0.0.1:" + CONTROLLER_PORT,
                "offsets.topic.replication.factor", "1",
                "log.dirs", new File(folder, "log").getPath()));
        Path file = folder.toPath().resolve("server.properties");
        try (var out = Files.newOutputStream(file)) {
            properties.store(out, null);
        }
        String[] format = {"format", "--ignore-formatted", "-t", CLUSTER.toString(), "-c", file.toString()};
        if (StorageTool.execute(format, System.out) != 0) {
            throw new IOException("the folder cannot be formatted");
        }
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
        server.startup();
        System.out.println("listening");
        server.awaitShutdown();
    }

    /** {@return the address that other hosts have for this one} */
    private static String address() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElseThrow()
                .getHostAddress();
    }

    /** A producer, and a consumer that reads what that has sent. */
    static final class KafkaClient implements ForeignClient {
        private static final String TOPIC = "sent";

        private final KafkaProducer<byte[], byte[]> producer;
        private final KafkaConsumer<byte[], byte[]> consumer;

        KafkaClient(String host, int port) {
            Map<String, Object> config = Map.of(
                    "bootstrap.servers", host + ":" + port,
                    "request.timeout.ms", WAIT_MILLIS,
                    "default.api.timeout.ms", WAIT_MILLIS * 2,
                    "max.block.ms", WAIT_MILLIS * 2,
                    "delivery.timeout.ms", WAIT_MILLIS * 2);
            producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
            consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws Exception {
            RecordMetadata sent =
                    producer.send(new ProducerRecord<>(TOPIC, bytes)).get();
            TopicPartition partition = new TopicPartition(TOPIC, sent.partition());
            consumer.assign(List.of(partition));
            consumer.seek(partition, sent.offset());
            while (true) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(WAIT_MILLIS))) {
                    if (record.offset() == sent.offset()) {
                        return record.value();
                    }
                }
            }
        }

        @Override
        public void touch() throws Exception {
            producer.send(new ProducerRecord<>(TOPIC, LITTLE)).get();
        }

        @Override
        public void close() {
            consumer.close();
            producer.close();
        }
    }

    /** A connection to RabbitMQ, and another one after a failure. */
    static final class RabbitClient implements ForeignClient {
        private final ConnectionFactory factory = new ConnectionFactory();
        /** Null until the first call and after a failure. */
        private Channel channel;

        RabbitClient(String host, int port) {
            factory.setHost(host);
            factory.setPort(port);
            factory.setAutomaticRecoveryEnabled(false);
        }

        @Override
        public byte[] exchange(byte[] bytes, int round) throws IOException, TimeoutException {
            boolean isDone = false;
            try {
                if (channel == null) {
                    channel = factory.newConnection().createChannel();
                    channel.confirmSelect();
                }
                byte[] back = pass(bytes);
                isDone = true;
                return back;
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                if (!isDone) {
                    close();
                }
            }
        }

        /** By way of a queue that the connection has. */
        private byte[] pass(byte[] bytes) throws IOException, InterruptedException, TimeoutException {
            String queue = channel.queueDeclare().getQueue();
            channel.basicPublish("", queue, null, bytes);
            channel.waitForConfirmsOrDie(WAIT_MILLIS);
            GetResponse came = channel.basicGet(queue, true);
            channel.queueDelete(queue);
            if (came == null) {
                throw new IOException("the queue is empty");
            }
            return came.getBody();
        }

        @Override
        public void touch() throws IOException, TimeoutException {
            exchange(LITTLE, 0);
        }

        @Override
        public void close() {
            if (channel != null) {
                channel.getConnection().abort();
                channel = null;
            }
        }
    }
}
