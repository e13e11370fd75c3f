package io.weir.cli.switching;

import io.weir.cli.unit.Exact;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The credits block of a file. */
final class CreditBlock {
    private CreditBlock() {}

    /** {@return the block as the file has it, with nothing left to defaults but the model's rate} */
    static Map<String, Object> toDocument(CreditSettings credits) {
        Map<String, Object> block = new LinkedHashMap<>();
        CreditModel model = credits.model();
        block.put("model", model.word());
        if (model == CreditModel.OFF) {
            return block;
        }
        if (model == CreditModel.EXACT) {
            block.put("creditless", Exact.share(credits.creditlessPpm()));
        }
        block.put("burst", credits.burstCredits());
        block.put("queue", credits.queueCredits());
        block.put("drop", credits.drop().name().toLowerCase(Locale.ROOT));
        block.put("smallest", Exact.size(credits.smallestBytes()));
        block.put("largest", Exact.size(credits.largestBytes()));
        if (credits.rateBps() > 0) {
            block.put("rate", Exact.rate(credits.rateBps()));
        }
        return block;
    }
}
