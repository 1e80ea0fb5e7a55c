// build_material.c: materials of a scene that are based on others: what follows their stiffness.

#include "place.h"
#include "build/build.h"
#include "build/scene_load.h"

__attribute__((constructor)) static void start(void) { place_make("build-material"); }

static const char scene[] =
    "scene { duration = 1*s }\n"
    "material { name = 'stiff', base = 'glass', young = 140*GPa, poisson = 0.22 }\n"
    "material { name = 'dull', base = 'glass', alpha1 = 1e-6 }\n"
    "material { name = 'bare', base = 'glass', alpha1 = 0, young = 140*GPa }\n"
    "material { name = 'thick', base = 'porcelain', young = 140*GPa }\n"
    "body { name = 'b', material = 'stiff', shape = box { 1*cm, 1*cm, 1*cm } }\n";

// motion is damped in the same time, whether tones go by alpha1 or not
TEST(damping_of_motion_follows_stiffness) {
    FrScene *s = NULL;
    FrMaterial m;
    put_text("m.lua", scene);
    CHECK_OK(ctx, fr_load_scene_with(ctx, at("m.lua"), NULL, 0, &s));
    double rate = 0.5 * 0.0012 / (2 * M_PI * 1000), china = 0.5 * 0.0015 / (2 * M_PI * 1000);
    CHECK_OK(ctx,
             fr_scene_material(ctx, s, "stiff", &m)); // as before glass had no alpha1, bit by bit
    CHECK(m.alpha1 == 0 && m.phi == rate * m.lambda && m.psi == rate * m.mu);
    CHECK(m.eta == 1e-3);
    CHECK_OK(ctx, fr_scene_material(ctx, s, "dull", &m));
    CHECK(m.alpha1 == 1e-6 && m.phi == 1e-6 * m.lambda && m.psi == 1e-6 * m.mu);
    CHECK_OK(ctx, fr_scene_material(ctx, s, "bare", &m));
    CHECK(m.alpha1 == 0 && m.phi == 0 && m.psi == 0);
    CHECK_OK(ctx, fr_scene_material(ctx, s, "thick", &m));
    CHECK(m.alpha1 == china && m.phi == china * m.lambda && m.psi == china * m.mu);
    fr_scene_free(s);
}
