import java.io.File;
import java.util.Map;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Evaluates a build script of Gradle in an empty Java project, offline, and prints the two class paths that Gradle resolves: the
 * compiler's, then the program's. `.ci/consumer` runs it from its source.
 */
class Resolve {
    public static void main(String[] args) {
        try {
            resolve(new File(args[0]), new File(args[1]));
        } catch (RuntimeException | LinkageError e) {
            e.printStackTrace();
            System.exit(1);
        }
        // Gradle's threads go on.
        System.exit(0);
    }

    private static void resolve(File script, File home) {
        Project project = ProjectBuilder.builder()
                .withProjectDir(script.getAbsoluteFile().getParentFile())
                .withGradleUserHomeDir(home)
                .build();
        project.getGradle().getStartParameter().setOffline(true);
        project.apply(Map.of("plugin", "java-library"));
        project.apply(Map.of("from", script));
        for (String path : new String[] {"compileClasspath", "runtimeClasspath"}) {
            System.out.println(project.getConfigurations().getByName(path).getAsPath());
        }
    }
}
