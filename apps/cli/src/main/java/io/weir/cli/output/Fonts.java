package io.weir.cli.output;

import io.weir.cli.environment.EnvironmentException;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/** What charts need of the system. */
public final class Fonts {
    private Fonts() {}

    /**
     * Refuses to draw where the system has no fonts: before the work, not after it. Messages name {@code option}, which
     * wants charts.
     */
    public static void require(String option) {
        System.setProperty("java.awt.headless", "true");
        try {
            Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
            graphics.getFontMetrics().stringWidth("0");
            graphics.dispose();
        } catch (LinkageError | InternalError e) {
            throw new EnvironmentException(
                    option + ": charts cannot be drawn without fonts (" + e.getMessage()
                            + "); install some, as in apt-get install fontconfig fonts-dejavu-core",
                    e);
        }
    }
}
