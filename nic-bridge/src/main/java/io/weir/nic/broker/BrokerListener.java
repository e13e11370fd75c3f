package io.weir.nic.broker;

/** Is told who comes and goes at a broker, by threads of the broker's. */
public interface BrokerListener {
    /** A client has connected and has its rings. */
    void onClient(int number, int processId, String user);

    /** A client is gone, and everything that it had was given back. */
    void onClientGone(int number, String reason);

    /** A client could not be served. */
    void onRefusal(int processId, String user, String sentence);

    /** What a user's processes ask for waits from now on, as it takes too much time; told once per minute and user. */
    void onWait(int processId, String user, String sentence);
}
