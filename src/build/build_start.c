// build_start.c: what is odd about a world before its first step: bodies that begin inside each
// other or inside the ground, steps above the stable one, damping that was lowered, settings that
// were chosen.

#include "base/array.h"
#include "build/build.h"
#include "build/depth.h"
#include "build/initial_overlap.h"
#include "math/vec.h"
#include "world/cuts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Depth that is more than a body resting on another may be written with: m, and over its size.
#define BURIED 1e-3
#define BURIED_SHARE 0.02
/// How many pairs are named; the rest is counted.
#define MOST_NAMED 8
/// Fixed steps so many times the stable one grow without bound, whatever the mesh.
#define HOPELESS 4.0

typedef struct Start {
    FrContext *ctx;
    const FrScene *scene;
    const FrFrameView *view;
    FrDepths depths;
    int32_t named, more;
} Start;

static double tolerance(FrVec3 size) {
    return fr_min(BURIED, BURIED_SHARE * fr_min(size.x, fr_min(size.y, size.z)));
}

// how far below a plane the lowest point of a body is, m; not below: negative
static double depth_below(const FrBodyView *body, const FrBodyFrame *frame,
                          const FrBodyView *plane) {
    double lowest = fr_dot(plane->normal, frame->position) - body->radius;
    if (body->mesh) lowest = HUGE_VAL;
    for (int32_t n = 0; body->mesh && n < body->mesh->node_count; n++)
        lowest = fr_min(lowest, fr_dot(plane->normal, fr_get3(frame->p, n)));
    return plane->offset - lowest;
}

static void warn_inside(Start *s, const char *what, double depth, const char *of) {
    if (s->named++ < MOST_NAMED)
        fr_log(s->ctx, FR_LOG_WARNING, "%s begins %.3g m inside %s and will be pushed out hard",
               what, depth, of);
    else
        s->more++;
}

static void warn_buried(Start *s) {
    for (int32_t p = 0; p < s->view->body_count; p++)
        for (int32_t k = 0; s->view->body[p].kind == FR_BODY_PLANE && k < s->view->body_count;
             k++) {
            if (s->view->body[k].kind == FR_BODY_PLANE) continue;
            double depth = depth_below(&s->view->body[k], &s->view->frame[k], &s->view->body[p]);
            if (depth > tolerance(fr_box_size(fr_view_bounds(s->view, k))))
                warn_inside(s, s->view->body[k].name, depth, s->view->body[p].name);
        }
}

static FrResult warn_pair(Start *s, const FrSharedVolume *shared) {
    int32_t a = shared->a, b = shared->b;
    const char *one = s->view->body[a].name, *other = s->view->body[b].name;
    double a_in_b = 0.0, b_in_a = 0.0;
    if (fr_stays(s->scene, one) && fr_stays(s->scene, other)) return FR_OK;
    FR_TRY(fr_depth_inside(&s->depths, a, b, &a_in_b));
    FR_TRY(fr_depth_inside(&s->depths, b, a, &b_in_a));
    double depth = fr_max(a_in_b, b_in_a);
    // all there is to say where bars cross and no node is inside
    if (!(depth > 0.0)) depth = cbrt(shared->largest);
    double enough = fr_min(tolerance(fr_box_size(fr_view_bounds(s->view, a))),
                           tolerance(fr_box_size(fr_view_bounds(s->view, b))));
    bool turned = b_in_a > a_in_b;
    if (depth > enough) warn_inside(s, turned ? other : one, depth, turned ? one : other);
    return FR_OK;
}

static FrResult warn_overlaps(Start *s) {
    FrSharedVolumes shared = {0};
    FrResult result = fr_find_shared(s->ctx, s->view, &shared);
    for (int32_t k = 0; result == FR_OK && k < shared.count; k++)
        result = warn_pair(s, &shared.data[k]);
    fr_array_free(s->ctx, &shared);
    return result;
}

// a fixed step that is too long: warned of, or refused where nothing watches the energy
static void judge_step(FrBuilt *built, const FrScene *scene) {
    const FrSceneStep *step = &scene->scene.step;
    double stable = fr_built_dt(built) / step->safety;
    if (!(step->dt > stable)) return;
    if (!step->adaptive && step->dt > HOPELESS * stable)
        fr_scene_problem(&built->problems, scene, step, NULL,
                         "dt is %.3g s; steps above %.3g s blow up, and without adaptive nothing "
                         "makes them shorter",
                         step->dt, stable);
    else
        fr_log(built->ctx, FR_LOG_WARNING,
               "step.dt is %.3g s, above the stable %.3g s: %s; dt = 0 takes the stable step",
               step->dt, stable,
               step->adaptive ? "steps that gain energy are done again, shorter"
                              : "the run may blow up");
}

/// Steps shorter by less are not worth a line.
#define WORTH_SAYING 1.05

// one line per material, however many bodies are made of it
static void note_damping(const FrBuilt *built, const FrScene *scene) {
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        const char *material = scene->bodies[k].material;
        double least = 1.0, most = 0.0;
        int32_t count = 0, first = -1;
        for (int32_t j = 0; j < scene->bodies_count; j++) {
            double keep = fr_world_damping_kept(built->world, built->body[j]);
            if (strcmp(scene->bodies[j].material, material) || !(keep > 0.0 && keep < 1.0))
                continue;
            if (first < 0) first = j;
            if (j < k) break; // that one has reported it
            least = fr_min(least, keep);
            most = fr_max(most, keep);
            count++;
        }
        if (first != k || 1.0 / least < WORTH_SAYING) continue;
        char range[32] = "", bodies[32] = "", shorter[64];
        snprintf(shorter, sizeof shorter, 1.0 / least < 1.95 ? "%.1f" : "%.0f", 1.0 / least);
        if (most > 1.05 * least) snprintf(range, sizeof range, " to %.2g", most);
        if (count > 1) snprintf(bodies, sizeof bodies, " in %d bodies", count);
        fr_log(built->ctx, FR_LOG_INFO,
               "%s: strain-rate damping lowered to %.2g%s of its value%s, or steps would be up to "
               "%s times shorter (step.damping_limit)",
               material, least, range, bodies, shorter);
    }
}

/// The first of some names, for a message.
typedef struct Names {
    char text[200];
    int32_t count;
} Names;

static void add_name(Names *names, const char *name) {
    size_t used = strlen(names->text);
    if (names->count++ < 6)
        snprintf(names->text + used, sizeof names->text - used, "%s%.24s", used ? ", " : "", name);
}

static const char *and_more(const Names *names) { return names->count > 6 ? ", ..." : ""; }

// bodies for which this model was chosen
static void note_model(const FrBuilt *built, const FrScene *scene, FrModel model) {
    Names names = {0};
    FrModelTraits traits = fr_model_traits(model);
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        bool open, is = fr_scene_model(&scene->bodies[k], &open) == model;
        if (is && open && built->body[k].index1) add_name(&names, scene->bodies[k].name);
    }
    if (names.count)
        fr_log(built->ctx, FR_LOG_INFO, "model %s (%s): %s%s", traits.name,
               traits.deforms ? "deformable" : "rigid", names.text, and_more(&names));
}

static void note_models(const FrBuilt *built, const FrScene *scene) {
    for (int k = 1; fr_model_traits((FrModel)k).name; k++) note_model(built, scene, (FrModel)k);
}

// Only of brittle walls are these chosen above 0.
static bool chosen_for_wall(const FrCrackDef *from, const FrCrackDef *crack) {
    return (isnan(from->remeshing.together) && crack->remeshing.together > 0.0) ||
           (isnan(from->settle) && crack->settle > 0.0);
}

/// A prism through a wall, which is the least piece that is chosen, has three tets in each layer.
#define ONE_LAYER 4.5

// linear tets that bend lock: docs/breaking.md has by how much
static const char *locks(const FrCrackDef *from, const FrCrackDef *crack) {
    return isnan(from->min_piece) && crack->min_piece < ONE_LAYER
               ? "; it is one tet thick: too stiff when it bends, it stands harder blows than it "
                 "should; smaller cells help"
               : "";
}

// what a scene leaves open of brittle walls, in the units of scenes
static void note_walls(const FrBuilt *built, const FrScene *scene) {
    int32_t named = 0, more = 0;
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        FrCrackDef crack = fr_crack_def_default();
        if (!fr_world_crack_chosen(built->world, built->body[k], &crack) ||
            !chosen_for_wall(&scene->bodies[k].crack, &crack))
            continue;
        if (named++ >= MOST_NAMED) {
            more++;
            continue;
        }
        fr_log(built->ctx, FR_LOG_INFO,
               "%s: a brittle wall: cracks upright, together %.3g, snap_distance %.3g, min_piece "
               "%.3g, rigid_piece %.3g, settle %.3g ms, scan_interval %.3g us%s",
               scene->bodies[k].name, crack.remeshing.together, crack.remeshing.snap_distance,
               crack.min_piece, crack.pieces.rigid_piece, 1e3 * crack.settle,
               1e6 * crack.criterion.scan_interval, locks(&scene->bodies[k].crack, &crack));
    }
    if (more) fr_log(built->ctx, FR_LOG_INFO, "%d more brittle walls", more);
}

static bool blasts_all(const FrScene *scene) {
    for (int32_t k = 0; k < scene->loads_count; k++)
        if (scene->loads[k].kind == FR_SCENE_BLAST && scene->loads[k].blast->body < 0) return true;
    return false;
}

// rigid bodies that could move, and that a blast on all bodies passes by
static void warn_blast(const FrBuilt *built, const FrScene *scene) {
    Names names = {0};
    if (!blasts_all(scene)) return;
    for (int32_t k = 0; k < scene->bodies_count; k++) {
        const FrSceneBody *body = &scene->bodies[k];
        if (!fr_body_traits(body).deforms && !fr_body_stays(body) && !fr_body_drive(scene, k))
            add_name(&names, body->name);
    }
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!scene->spheres[k].kinematic) add_name(&names, scene->spheres[k].name);
    if (names.count)
        fr_log(built->ctx, FR_LOG_WARNING,
               "a blast acts on deformable bodies; rigid frames and spheres do not feel it: %s%s",
               names.text, and_more(&names));
}

// what is reported of bodies alone, also of those born later
static FrResult note_bodies(const FrBuilt *built, const FrScene *scene) {
    FrBuilt all = *built;
    if (built->whole) all.world = built->whole, all.body = built->whole_body;
    note_models(&all, scene);
    note_damping(&all, scene);
    note_walls(&all, scene);
    warn_blast(&all, scene);
    FR_TRY(fr_build_idle(&all, scene));
    return fr_build_unlikely(&all, scene);
}

static double born_of(const FrScene *scene, const char *name) {
    for (int32_t k = 0; k < scene->bodies_count; k++)
        if (!strcmp(scene->bodies[k].name, name)) return scene->bodies[k].born;
    for (int32_t k = 0; k < scene->spheres_count; k++)
        if (!strcmp(scene->spheres[k].name, name)) return scene->spheres[k].born;
    return 0.0;
}

static FrResult warn_together(Start *s, const FrFrameView *view) {
    s->view = view;
    FrResult result = fr_depths_init(&s->depths, s->ctx, view);
    if (result == FR_OK) warn_buried(s);
    if (result == FR_OK) result = warn_overlaps(s);
    fr_depths_free(&s->depths);
    return result;
}

// Those that come into the scene at one time, one time after the other; where others are by then is
// not known. Room for all bodies is lent.
static FrResult warn_each_time(Start *s, const FrFrameView *all, FrBodyView *body,
                               FrBodyFrame *frame, double *born) {
    for (int32_t k = 0; k < all->body_count; k++) born[k] = born_of(s->scene, all->body[k].name);
    for (int32_t k = 0; k < all->body_count; k++) {
        FrFrameView some = {all->tick, all->t, 0, body, frame};
        int32_t before = 0;
        while (before < k && born[before] != born[k]) before++;
        if (before < k) continue; // their time was looked at
        for (int32_t j = 0; j < all->body_count; j++) {
            if (all->body[j].kind != FR_BODY_PLANE && born[j] != born[k]) continue;
            body[some.body_count] = all->body[j];
            frame[some.body_count++] = all->frame[j];
        }
        FR_TRY(warn_together(s, &some));
    }
    return FR_OK;
}

FrResult fr_build_start(FrBuilt *built, const FrScene *scene) {
    FR_TRY(note_bodies(built, scene));
    judge_step(built, scene);
    const FrFrameView *view = fr_world_view(fr_built_all(built));
    if (!view) return fr_no_memory(built->ctx, "a frame");
    Start s = {.ctx = built->ctx, .scene = scene};
    FrBodyView *body = FR_NEW(s.ctx, FrBodyView, view->body_count);
    FrBodyFrame *frame = FR_NEW(s.ctx, FrBodyFrame, view->body_count);
    double *born = FR_NEW(s.ctx, double, view->body_count);
    FrResult result = body && frame && born ? warn_each_time(&s, view, body, frame, born)
                                            : fr_no_memory(s.ctx, "overlaps");
    if (s.more)
        fr_log(s.ctx, FR_LOG_WARNING, "%d more bodies or pairs of them begin inside each other",
               s.more);
    FR_FREE_ALL(s.ctx, body, frame, born);
    return result;
}
