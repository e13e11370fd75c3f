package io.weir.agent;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** A server of HTTP that answers with what it is sent, whose libraries are jars within its jar. */
public final class FatJarProgram {
    private FatJarProgram() {}

    /**
     * Serves until it is ended.
     *
     * @param arguments the port, and a folder
     */
    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector();
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "echo", new Echo()).addMapping("/");
        tomcat.start();
        String origin =
                Tomcat.class.getProtectionDomain().getCodeSource().getLocation().toString();
        if (!origin.startsWith("jar:nested:")) {
            throw new IllegalStateException("the library came from " + origin);
        }
        System.out.println("listening");
        tomcat.getServer().await();
    }

    /** Answers with the request's body. */
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] bytes = request.getInputStream().readAllBytes();
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }
}
