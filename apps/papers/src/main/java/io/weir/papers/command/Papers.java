package io.weir.papers.command;

import io.weir.cli.yaml.Nearest;
import io.weir.papers.Figure;
import io.weir.papers.FigureFile;
import io.weir.papers.LiveFigure;
import io.weir.papers.ccrp.AggressionFactor;
import io.weir.papers.ccrp.CompletionTimes;
import io.weir.papers.ccrp.CrossProtocol;
import io.weir.papers.ccrp.Fairness;
import io.weir.papers.ccrp.LinkUse;
import io.weir.papers.ccrp.QueueLength;
import io.weir.papers.ccrp.Readings;
import io.weir.papers.ccrp.Starvation;
import io.weir.papers.dx.DelayAccuracy;
import io.weir.papers.dx.EcnAccuracy;
import io.weir.papers.dx.FiveFlowsThroughput;
import io.weir.papers.dx.Incast;
import io.weir.papers.dx.LatencyNoise;
import io.weir.papers.dx.TwoFlows;
import io.weir.papers.dx.VegasQueue;
import io.weir.papers.expresspass.BufferTable;
import io.weir.papers.expresspass.CreditQueueUtilization;
import io.weir.papers.expresspass.FanOut;
import io.weir.papers.expresspass.FasterLinks;
import io.weir.papers.expresspass.FiveFlows;
import io.weir.papers.expresspass.FlowCompletion;
import io.weir.papers.expresspass.InitialRateConvergence;
import io.weir.papers.expresspass.LinkSpeedConvergence;
import io.weir.papers.expresspass.NaiveConvergence;
import io.weir.papers.expresspass.Shuffle;
import io.weir.papers.expresspass.SteadyState;
import io.weir.papers.expresspass.TorBuffer;
import io.weir.papers.live.KernelNoise;
import io.weir.papers.live.NoiseReduction;
import io.weir.papers.live.QueueSteps;
import io.weir.papers.live.StackComparison;
import io.weir.papers.matrix.Matrix;
import io.weir.papers.tfc.BaseRtt;
import io.weir.papers.tfc.EffectiveFlows;
import io.weir.papers.tfc.FanInBursts;
import io.weir.papers.tfc.JoiningConvergence;
import io.weir.papers.tfc.JoiningGoodput;
import io.weir.papers.tfc.JoiningQueues;
import io.weir.papers.tfc.LiveConvergence;
import io.weir.papers.tfc.LiveEffectiveFlows;
import io.weir.papers.tfc.LiveIncast;
import io.weir.papers.tfc.LiveJoining;
import io.weir.papers.tfc.LiveWorkConserving;
import io.weir.papers.tfc.ProbeOverhead;
import io.weir.papers.tfc.WorkConserving;
import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every figure and table that can be reproduced. One is added by naming its file or class in the list. */
public final class Papers {
    private static final List<Figure> EXPRESSPASS = List.of(
            new FanOut(),
            new BufferTable(),
            new NaiveConvergence(),
            FigureFile.read("expresspass/fig4"),
            new TorBuffer(),
            FigureFile.read("expresspass/fig6"),
            new InitialRateConvergence(),
            FigureFile.read("expresspass/fig8b"),
            new CreditQueueUtilization(),
            FigureFile.read("expresspass/fig10"),
            FigureFile.read("expresspass/fig11"),
            new SteadyState(),
            new FiveFlows(),
            FigureFile.read("expresspass/fig15"),
            new LinkSpeedConvergence(),
            new Shuffle(),
            FigureFile.read("expresspass/fig18"),
            new FlowCompletion(),
            FigureFile.read("expresspass/fig20"),
            new FasterLinks(),
            FigureFile.read("expresspass/table3"),
            FigureFile.read("expresspass/sec3.1"),
            FigureFile.read("expresspass/sec7"));

    private static final List<Figure> DX = List.of(
            new EcnAccuracy(),
            new DelayAccuracy(),
            new VegasQueue(),
            FigureFile.read("dx/fig8"),
            new TwoFlows(),
            FigureFile.read("dx/fig13"),
            FigureFile.read("dx/sec6c"),
            new FiveFlowsThroughput(),
            new LatencyNoise(),
            FigureFile.read("dx/fig16"),
            new Incast(),
            FigureFile.read("dx/fig18"),
            FigureFile.read("dx/fig19"),
            FigureFile.read("dx/fig20"));

    private static final List<Figure> TFC = List.of(
            new ProbeOverhead(),
            new BaseRtt(),
            new EffectiveFlows(),
            new JoiningQueues(),
            new JoiningGoodput(),
            new JoiningConvergence(),
            new WorkConserving(),
            new FanInBursts(),
            FigureFile.read("tfc/fig13"),
            FigureFile.read("tfc/fig14"),
            FigureFile.read("tfc/fig15"),
            FigureFile.read("tfc/fig16"),
            FigureFile.read("tfc/sec46"));

    private static final List<Figure> CCRP = List.of(
            new CrossProtocol(),
            new Starvation(),
            new Readings(),
            new LinkUse(),
            new Fairness(),
            new AggressionFactor(),
            new CompletionTimes(),
            new QueueLength());

    private static final List<Figure> COMPARISON = List.of(
            FigureFile.read("comparison/incast"),
            FigureFile.read("comparison/staggered"),
            FigureFile.read("comparison/web-search"));

    /**
     * The figures and tables, paper by paper, in the order of their numbers; then every protocol side by side, and the
     * default rule next to the papers'.
     */
    public static final List<Figure> FIGURES = Stream.of(EXPRESSPASS, DX, TFC, CCRP, COMPARISON, Matrix.figures())
            .flatMap(List::stream)
            .toList();

    /** Those that are measured on real ports, which run only when asked for. */
    public static final List<LiveFigure> LIVE = List.of(
            new KernelNoise(),
            new NoiseReduction(),
            new StackComparison(),
            new QueueSteps(),
            new LiveEffectiveFlows(),
            new LiveJoining(),
            new LiveConvergence(),
            new LiveWorkConserving(),
            new LiveIncast());

    private static final int NEAR_MAX = 3;

    private Papers() {}

    /**
     * {@return the figures that {@code ids} name, each once, in the order of the list; all of them if none is named}
     *
     * @param ids names of papers or of figures
     */
    static List<Figure> select(List<String> ids) {
        for (LiveFigure figure : LIVE) {
            if (ids.contains(figure.id())) {
                throw new ConfigException(figure.id() + " is measured on real ports: add --live, as root");
            }
        }
        return select(FIGURES, ids);
    }

    /** {@return the figures measured on real ports that {@code ids} name; all of them if none is named} */
    static List<Figure> selectLive(List<String> ids) {
        return select(LIVE, ids);
    }

    private static List<Figure> select(List<? extends Figure> figures, List<String> ids) {
        Set<String> wanted = new LinkedHashSet<>(ids);
        wanted.forEach(id -> requireKnown(figures, id));
        return figures.stream()
                .<Figure>map(figure -> figure)
                .filter(figure -> wanted.isEmpty() || wanted.contains(figure.id()) || wanted.contains(paper(figure)))
                .toList();
    }

    private static String paper(Figure figure) {
        return figure.id().substring(0, figure.id().indexOf('/'));
    }

    private static void requireKnown(List<? extends Figure> figures, String id) {
        List<String> known = new ArrayList<>(Stream.concat(
                        figures.stream().map(Papers::paper), figures.stream().map(Figure::id))
                .distinct()
                .toList());
        if (known.contains(id)) {
            return;
        }
        List<String> near = new ArrayList<>();
        for (int i = 0; i < NEAR_MAX; i++) {
            Nearest.to(id, known).ifPresent(word -> {
                near.add(word);
                known.remove(word);
            });
        }
        throw new ConfigException("there is no figure or paper \"" + id + "\"; "
                + (near.isEmpty() ? "weir paper --list has them all" : "near it are " + String.join(", ", near)));
    }
}
