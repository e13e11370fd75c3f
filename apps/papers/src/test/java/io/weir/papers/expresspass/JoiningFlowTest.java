package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link JoiningFlow} with series made up. */
class JoiningFlowTest {
    private static final List<Double> TOTAL = Collections.nCopies(20, 8.0);

    /** A flow that joins one at 8, whose fair share is 4, in interval 10. */
    private static JoiningFlow joining(double... valuesBps) {
        List<Double> all = new ArrayList<>(Collections.nCopies(10, 0.0));
        for (double value : valuesBps) {
            all.add(value);
        }
        return new JoiningFlow(10, TOTAL, all, 0);
    }

    @Test
    void roundTripsToShare_fourFifthsOfTheFairShare_countsFromTheOpening() {
        assertEquals(3, joining(0, 3.1, 3.2, 9).roundTripsToShare());
        assertEquals(Double.POSITIVE_INFINITY, joining(0, 3.1, 3.1).roundTripsToShare());
    }

    @Test
    void roundTripsToSettle_meanOfFiveWithinATenth_countsTheLast() {
        assertEquals(6, joining(0, 4, 4, 4, 4, 4, 4).roundTripsToSettle());
        assertEquals(7, joining(0, 8, 8, 4, 4, 4, 0).roundTripsToSettle());
        assertEquals(Double.POSITIVE_INFINITY, joining(8, 8, 8, 8, 8, 8).roundTripsToSettle());
    }

    @Test
    void roundTripsToShareOverTen_eightOfTenAtTheShare_countsTheTenth() {
        assertEquals(12, joining(0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4).roundTripsToShareOverTen());
    }
}
