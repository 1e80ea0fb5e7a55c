// usd_dust.c: grains of what left as dust, as points with widths.

#include "export/usd_text.h"

// all places, or all widths, of a frame
typedef FrResult PutGrains(FrUsd *u, double t);

static FrResult put_points(FrUsd *u, double t) {
    const FrGrains *grains = u->gather.options.grains;
    u->gather.sample.count = 0;
    for (int32_t k = 0; k < grains->grain.count; k++) {
        FrVec3 x;
        fr_grain_place(grains, &grains->grain.data[k], t, &x);
        x = fr_usd_axes(&u->gather.options, x);
        for (int i = 0; i < 3; i++)
            if (!fr_array_push(u->gather.ctx, &u->gather.sample, (float)fr_vec3_get(x, i)))
                return fr_no_memory(u->gather.ctx, "dust");
    }
    return fr_usd_tuples(u, u->gather.sample.data, (size_t)grains->grain.count, 3);
}

// 0: it has not left yet
static FrResult put_widths(FrUsd *u, double t) {
    const FrGrains *grains = u->gather.options.grains;
    double unit = fr_usd_scale(&u->gather.options);
    FR_TRY(fr_usd_put(u, "["));
    for (int32_t k = 0; k < grains->grain.count; k++) {
        const FrGrain *grain = &grains->grain.data[k];
        if (k) FR_TRY(fr_usd_put(u, ", "));
        FR_TRY(fr_usd_number(u, t >= grain->t ? 2.0 * unit * grain->radius : 0.0));
    }
    return fr_usd_put(u, "]");
}

static FrResult put_samples(FrUsd *u, const char *attribute, PutGrains *value) {
    FrUsdGather *g = &u->gather;
    FR_TRY(fr_usd_put(u, "        "));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, " = "));
    FR_TRY(value(u, g->t[0]));
    FR_TRY(fr_usd_put(u, "\n        "));
    FR_TRY(fr_usd_put(u, attribute));
    FR_TRY(fr_usd_put(u, ".timeSamples = {\n"));
    for (int32_t k = 0; k < g->frame_count; k++) {
        FR_TRY(fr_usd_put(u, "            "));
        FR_TRY(fr_usd_time(u, g->code[k]));
        FR_TRY(fr_usd_put(u, ": "));
        FR_TRY(value(u, g->t[k]));
        FR_TRY(fr_usd_put(u, ",\n"));
    }
    return fr_usd_put(u, "        }\n");
}

FrResult fr_usd_dust(FrUsd *u) {
    const FrGrains *grains = u->gather.options.grains;
    if (!grains || !grains->grain.count) return FR_OK;
    FR_TRY(fr_usd_put(u, "    def Points \""));
    FR_TRY(fr_usd_put(u, u->gather.dust));
    FR_TRY(fr_usd_put(u, "\"\n    {\n"));
    FR_TRY(put_samples(u, "point3f[] points", put_points));
    FR_TRY(put_samples(u, "float[] widths", put_widths));
    return fr_usd_put(u, "    }\n");
}
