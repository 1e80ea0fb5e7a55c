// modal_bars.c: the bars of scenes/glockenspiel.lua sound the notes that they are painted for.

#include "context.h"
#include "fracas/studio.h"
#include "test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Their length comes from the bar formula for thin bars of steel, less what shear and rotation
// take.
TEST(bars_are_in_tune) {
    static const char *const note[] = {"C6", "D6", "E6", "F6", "G6"};
    FrContext *ctx = make_context(1);
    for (int k = 0; k < 5; k++) {
        char body[8];
        snprintf(body, sizeof body, "bar%d", k + 1);
        FrModesDef job = fr_modes_def_default();
        job.input = FRACAS_SOURCE_DIR "/scenes/glockenspiel.lua";
        job.body = body;
        job.count = 1;
        job.no_cache = true;
        FrText text;
        CHECK_OK(ctx, fr_job_modes(ctx, &job, true, &text));
        const char *is = strstr(text.data, "\"note\": \""),
                   *cents = strstr(text.data, "\"cents\": ");
        CHECK(is && cents);
        if (is) CHECK(!strncmp(is + strlen("\"note\": \""), note[k], 2));
        // model: shear and rotation, to the next power of h / L
        if (cents) CHECK_NEAR(strtod(cents + strlen("\"cents\": "), NULL), 0, 5);
        fr_text_free(ctx, &text);
    }
    fr_context_destroy(ctx);
}
