package io.weir.papers.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.ResultDocument;
import io.weir.nic.testing.Deadline;
import io.weir.papers.Axis;
import io.weir.papers.Chart;
import io.weir.papers.ChartSeries;
import io.weir.papers.Claim;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import io.weir.papers.Unit;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page of {@code weir paper}: its text, and what headless Chromium makes of it. */
class ReportPageTest {
    private static final String CHROMIUM = "chromium";
    private static final String HOSTILE = "<script>alert(1)</script> & \"quotes\"";

    /**
     * Reports, as the document's title, what a reader would see: sizes of drawings, and whether the page scrolls
     * sideways.
     */
    private static final String PROBE =
            "<script>addEventListener('load',()=>{const r=[...document.querySelectorAll('section.figure svg')].map(s=>{"
                    + "const b=s.getBoundingClientRect();return Math.round(b.width)+'x'+Math.round(b.height)}).join(' ');"
                    + "const l=performance.getEntriesByType('resource').map(e=>e.name).filter(n=>!n.startsWith('data:')).length;"
                    + "document.title='drawings '+r+' loads '+l+' wide '+(document.documentElement.scrollWidth>innerWidth)})</script>";

    @TempDir
    private Path folder;

    private PaperResult result;

    @BeforeEach
    void write() throws IOException {
        List<Claim> claims = List.of(
                Claim.about("p/one/met", "it is so", "98 %").atLeast(0.97, 0.95, Unit.SHARE),
                Claim.about("p/one/short", HOSTILE, "1 RTT").atMost(5, 3, Unit.ROUND_TRIPS),
                Claim.about("p/one/not-yet", "later", "7").notYet("at least 1", "DCTCP"));
        List<Chart> charts = List.of(
                chart("first " + HOSTILE, Chart.Kind.LINES, Axis.logarithmic("x")),
                chart("second", Chart.Kind.STACKED_BARS, Axis.of("x", List.of("a", "b", "c"))));
        Table table = new Table("numbers", List.of("what", HOSTILE), List.of(List.of("a", "1"), List.of("b", "2")));
        Setting setting = new Setting("as printed", Setting.AS_IN_THE_PAPER);
        FigureResult one = new FigureResult("p/one", "one", setting, "", claims, charts, List.of(table), List.of());
        FigureResult two = new FigureResult(
                "p/two", "two", setting, "run \"x\": interrupted", List.of(), List.of(), List.of(), List.of());
        result = new PaperResult("quick", false, List.of(one, two));
        ResultDocument document = ResultDocument.of("paper", Fingerprint.take(), result, result.criteria());
        PaperFiles.in(folder, "./weir paper --quick").write(document, result);
    }

    private static Chart chart(String title, Chart.Kind kind, Axis x) {
        ChartSeries series = new ChartSeries("s", List.of(1.0, 2.0, 3.0), List.of(1.0, 3.0, 2.0));
        return new Chart(
                title, kind, x, Axis.linear("y"), List.of(series, new ChartSeries("t", series.x(), series.y())));
    }

    private String page() throws IOException {
        return Files.readString(folder.resolve("report.html"));
    }

    @Test
    void page_text_isEscapedAndHasNoScript() throws IOException {
        String page = page();
        assertFalse(page.contains("<script"), "a script");
        assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;"));
        assertTrue(page.contains("Interrupted: not all runs came to their end."));
        assertTrue(page.contains("could not be judged: run &quot;x&quot;: interrupted"));
    }

    @Test
    void page_references_stayWithinIt() throws IOException {
        Matcher references =
                Pattern.compile("(?:src|href|url)[=(]\"?([^\")>]*)").matcher(page());
        int count = 0;
        while (references.find()) {
            String target = references.group(1);
            assertTrue(target.startsWith("#") || target.startsWith("data:"), target);
            count++;
        }
        assertTrue(count > 3, "references: " + count);
    }

    @Test
    void page_idsOfDrawings_areUnique() throws IOException {
        Set<String> ids = new HashSet<>();
        Matcher matcher = Pattern.compile(" id=\"([^\"]+)\"").matcher(page());
        while (matcher.find()) {
            assertTrue(ids.add(matcher.group(1)), matcher.group(1));
        }
    }

    @Test
    void criteria_shortClaimsAndFailedFigures_areNotMet() {
        assertEquals(
                List.of("p/one: claims not met, of 3", "p/two: its runs could be judged"),
                result.criteria().stream()
                        .filter(criterion -> !criterion.met())
                        .map(criterion -> criterion.name())
                        .toList());
    }

    // ---- in a browser

    private static void requireChromium() throws IOException, InterruptedException {
        boolean isThere;
        try {
            isThere = new ProcessBuilder(CHROMIUM, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            isThere = false;
        }
        String remedy = "chromium is not installed (Debian: apt-get install chromium)";
        assertTrue(isThere || !"1".equals(System.getenv("WEIR_REQUIRE_LIVE")), remedy);
        assumeTrue(isThere, remedy);
    }

    private String chromium(Path page, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                CHROMIUM,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--user-data-dir=" + folder.resolve("profile")));
        command.addAll(List.of(options));
        command.add(page.toUri().toString());
        Path out = folder.resolve("out.txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        try {
            assertTrue(process.waitFor(Deadline.HANG_GUARD.toSeconds(), TimeUnit.SECONDS), "chromium did not end");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), () -> "see " + folder.resolve("err.txt"));
        return Files.readString(out);
    }

    private Path probed() throws IOException {
        Path probed = folder.resolve("probed.html");
        Files.writeString(probed, page().replace("</body>", PROBE + "</body>"));
        return probed;
    }

    private static String title(String dom) {
        Matcher title = Pattern.compile("<title>([^<]*)</title>").matcher(dom);
        assertTrue(title.find(), dom);
        return title.group(1);
    }

    @Test
    void render_claimsAndDrawings_areAllThereAndNothingIsLoaded() throws IOException, InterruptedException {
        requireChromium();
        String dom = chromium(probed(), "--window-size=1280,900", "--virtual-time-budget=2000", "--dump-dom");
        for (FigureResult figure : result.figures()) {
            for (Claim claim : figure.claims()) {
                assertTrue(dom.contains("id=\"claim-" + claim.id() + "\""), claim.id());
            }
        }
        Matcher drawings = Pattern.compile("drawings (\\d+)x(\\d+) (\\d+)x(\\d+) loads 0 wide false")
                .matcher(title(dom));
        assertTrue(drawings.matches(), title(dom));
        for (int i = 1; i <= 4; i++) {
            assertTrue(Integer.parseInt(drawings.group(i)) > 200, title(dom));
        }
        assertFalse(Files.readString(folder.resolve("err.txt")).contains("CONSOLE"), "messages of the console");
    }

    @Test
    void render_narrow_doesNotScrollSideways() throws IOException, InterruptedException {
        requireChromium();
        String dom = chromium(probed(), "--window-size=500,900", "--virtual-time-budget=2000", "--dump-dom");
        assertTrue(title(dom).endsWith("loads 0 wide false"), title(dom));
    }

    @Test
    void render_screenshot_isNotBlank() throws IOException, InterruptedException {
        requireChromium();
        Path shot = folder.resolve("shot.png");
        chromium(folder.resolve("report.html"), "--window-size=1280,1600", "--screenshot=" + shot);
        BufferedImage image = ImageIO.read(shot.toFile());
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y += 3) {
            for (int x = 0; x < image.getWidth(); x += 3) {
                colours.add(image.getRGB(x, y));
            }
        }
        assertTrue(colours.size() > 20, colours.size() + " colours");
    }
}
