// fall_apart.c: the bodies that a body falls into: a cut along its regions, a body for each part.

#include "shatter/shatter_inside.h"
#include "cut/pieces.h"
#include "cut/split_labels.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include "mesh/topology.h"
#include "skin/dress.h"
#include <stdio.h>
#include <string.h>

/// On the way from stress to bodies.
typedef struct Falling {
    FrShatter *shatter;
    FrCutMesh *cut;
    FrPieces *pieces;
    FrCutLog log;
    FrLabelCut along;
    double *weak;      ///< of each tet of the cut mesh (tet_count); NULL: 1
    uint8_t *held;     ///< what holds each node of the cut mesh (node_count); NULL: nothing
    FrTetPlace *place; ///< of each tet of the cut mesh (tet_count)
    FrDress dress;
} Falling;

static FrResult cut_along(Falling *f, double t) {
    FrContext *ctx = f->shatter->ctx;
    FrLabelCutOptions options = fr_label_cut_options_default();
    FR_TRY(fr_cutmesh_create(ctx, &f->shatter->mesh, &f->cut));
    FR_TRY(fr_pieces_create(ctx, f->cut, &f->pieces));
    fr_cutmesh_clock(f->cut, t);
    fr_cutlog_init(&f->log, f->shatter->mesh.node_count);
    FR_TRY(fr_cutmesh_split_labels(f->cut, &f->shatter->labels, &options, &f->log, &f->along));
    return fr_pieces_follow(f->pieces, f->cut, &f->log, 0, t, NULL);
}

// tets that were cut are as weak as what they were cut from
static FrResult follow_weak(Falling *f) {
    const FrShatter *s = f->shatter;
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, group = -1;
    double now = 1.0;
    if (!s->weak) return FR_OK;
    f->weak = FR_NEW(s->ctx, double, tets);
    if (!f->weak) return fr_no_memory(s->ctx, "weak places");
    memcpy(f->weak, s->weak, (size_t)s->mesh.tet_count * sizeof *f->weak);
    for (int32_t k = 0; k < f->log.tet_count; k++) {
        const FrSplitTet *split = &f->log.tets[k];
        if (split->group != group) now = f->weak[split->parent];
        group = split->group;
        f->weak[split->child] = now;
    }
    return FR_OK;
}

// a node between two that one thing holds is held by it, too
static FrResult follow_held(Falling *f) {
    const FrShatter *s = f->shatter;
    if (!s->held_count) return FR_OK;
    f->held = FR_NEW(s->ctx, uint8_t, fr_cutmesh_view(f->cut)->node_count);
    if (!f->held) return fr_no_memory(s->ctx, "what holds a body");
    memcpy(f->held, s->held, (size_t)s->mesh.node_count);
    for (int32_t k = 0; k < f->log.node_count; k++) {
        const FrNewNode *n = &f->log.nodes[k];
        f->held[f->log.first_node + k] = f->held[n->a] == f->held[n->b] ? f->held[n->a] : 0;
    }
    return FR_OK;
}

// a piece stays held by what has at least a face of one of its tets
static bool has_face(const uint8_t *held, const int32_t *tet, uint8_t by) {
    int corners = 0;
    for (int i = 0; i < 4; i++) corners += held[tet[i]] == by;
    return corners >= 3;
}

// what holds the nodes of a part; *held NULL: nothing does
static FrResult part_held(const Falling *f, const FrTetMesh *part, const int32_t *node,
                          uint8_t **held) {
    bool face[FR_MOST_HOLDS + 1] = {false}, any = false;
    *held = NULL;
    if (!f->held) return FR_OK;
    uint8_t *by = FR_NEW(f->shatter->ctx, uint8_t, part->node_count);
    if (!by) return fr_no_memory(f->shatter->ctx, "what holds a piece");
    for (int32_t n = 0; n < part->node_count; n++) by[n] = f->held[node[n]];
    for (int32_t e = 0; e < part->tet_count; e++)
        for (int i = 0; i < 4; i++) {
            uint8_t h = by[part->tet[e][i]];
            if (h && !face[h]) face[h] = has_face(by, part->tet[e], h);
            any = any || (h && face[h]);
        }
    for (int32_t n = 0; n < part->node_count; n++)
        if (!face[by[n]]) by[n] = 0;
    if (any)
        *held = by;
    else
        fr_free(f->shatter->ctx, by);
    return FR_OK;
}

static double *part_weak(const Falling *f, const int32_t *tet, int32_t count) {
    if (!f->weak) return NULL;
    double *weak = FR_NEW(f->shatter->ctx, double, count);
    for (int32_t e = 0; weak && e < count; e++) weak[e] = f->weak[tet[e]];
    return weak;
}

// tets of a piece are numbered as in the whole
static FrResult number_tets(Falling *f) {
    const int32_t *piece = fr_pieces_of_tets(f->pieces);
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, count;
    FrContext *ctx = f->shatter->ctx;
    fr_pieces_table(f->pieces, &count);
    int32_t *next = FR_NEW(ctx, int32_t, count);
    f->place = FR_NEW(ctx, FrTetPlace, tets);
    bool good = next && f->place;
    for (int32_t e = 0; e < tets && good; e++)
        f->place[e] = (FrTetPlace){piece[e], next[piece[e]]++};
    fr_free(ctx, next);
    return good ? FR_OK : fr_no_memory(ctx, "pieces");
}

static FrResult dress_pieces(Falling *f) {
    const FrShatter *s = f->shatter;
    FR_TRY(number_tets(f));
    FrDressWhole before = {&s->mesh, &s->surface, s->skin.point_count ? &s->skin : NULL};
    FrDressCut cut = {f->cut, f->pieces, &f->log, f->place};
    return fr_dress_pieces(s->ctx, &before, &cut, &f->dress);
}

// what cracks opened, now or before, shows on the outside of a piece as such
static void mark_opened(const Falling *f, const int32_t *tet, const FrTetMesh *part,
                        FrSurface *surface) {
    for (int32_t k = 0; k < surface->tri_count; k++) {
        int32_t e = surface->tet[k], apex = 0;
        const int32_t *tri = surface->tri[k];
        for (int i = 0; i < 4; i++) {
            int32_t n = part->tet[e][i];
            if (n != tri[0] && n != tri[1] && n != tri[2]) apex = i;
        }
        surface->opened[k] = f->dress.opened[tet[e]][apex];
    }
}

// the child takes its skin over
static bool take_skin(Falling *f, int32_t piece, FrBodyDef *child) {
    FrEmbedded *skin = FR_NEW(f->shatter->ctx, FrEmbedded, 1);
    if (!skin) return false;
    *skin = f->dress.skin[piece];
    f->dress.skin[piece] = (FrEmbedded){0};
    child->embedded = skin;
    return true;
}

static FrResult make_child(Falling *f, int32_t piece, FrBodyDef *child, uint8_t **held) {
    FrShatter *s = f->shatter;
    FrContext *ctx = s->ctx;
    FrTetMesh *mesh = FR_NEW(ctx, FrTetMesh, 1);
    FrSurface *surface = FR_NEW(ctx, FrSurface, 1);
    int32_t *tet = NULL, *node = NULL;
    *child = fr_body_def_default();
    child->mesh = mesh;
    child->surface = surface;
    if (!mesh || !surface) return fr_no_memory(ctx, "a piece");
    FR_TRY(fr_tetmesh_part(ctx, fr_cutmesh_view(f->cut),
                           (FrTetPart){fr_pieces_of_tets(f->pieces), piece}, mesh, &node, &tet));
    FrResult result = fr_tetmesh_surface(ctx, mesh, surface);
    if (result == FR_OK) result = part_held(f, mesh, node, held);
    if (result == FR_OK) surface->opened = FR_NEW(ctx, double, surface->tri_count);
    child->crack.weak = result == FR_OK ? part_weak(f, tet, mesh->tet_count) : NULL;
    char name[256];
    snprintf(name, sizeof name, "%s.%d", s->name, piece + 1);
    child->name = fr_strdup(ctx, name);
    bool good = result != FR_OK || (surface->opened && child->name &&
                                    (child->crack.weak || !f->weak) && take_skin(f, piece, child));
    if (result == FR_OK && good) mark_opened(f, tet, mesh, surface);
    child->crack.shatter = s->how;
    child->crack.toughness = s->toughness;
    child->crack.cleavage = s->cleavage;
    child->box = fr_vec3_zero;
    child->mass = s->density * fr_tetmesh_props(mesh).volume;
    FR_FREE_ALL(ctx, tet, node);
    return good ? result : fr_no_memory(ctx, "a piece");
}

// stress of the body in the tet that a facet lies in
static FrSym3 mean_stress(const FrShatter *s, int32_t tet) {
    FrSym3 sum = fr_sym3_zero;
    for (int i = 0; i < 4; i++) sum = fr_sym3_axpy(0.25, s->field[s->mesh.tet[tet][i]], sum);
    return sum;
}

// faces of the same region on both sides, or of the same piece in the end, free nothing
static FrResult make_facets(const Falling *f, FrFallen *fallen) {
    const int32_t *piece = fr_pieces_of_tets(f->pieces);
    int32_t tets = fr_cutmesh_view(f->cut)->tet_count, regions = f->shatter->labels.count;
    FrContext *ctx = f->shatter->ctx;
    int32_t *of_region = FR_NEW(ctx, int32_t, regions);
    fallen->facet = FR_NEW(ctx, FrFallenFacet, f->along.facet_count);
    if (!of_region || !fallen->facet) {
        fr_free(ctx, of_region);
        return fr_no_memory(ctx, "cracks");
    }
    for (int32_t e = 0; e < tets; e++) of_region[f->along.region[e]] = piece[e];
    for (int32_t k = 0; k < f->along.facet_count; k++) {
        const FrLabelFacet *from = &f->along.facet[k];
        int32_t a = of_region[from->a], b = of_region[from->b];
        if (a == b) continue;
        fallen->facet[fallen->facet_count++] =
            (FrFallenFacet){a, b, from->area, from->x, from->n, mean_stress(f->shatter, from->tet)};
    }
    fr_free(ctx, of_region);
    return FR_OK;
}

// What is below the size of dust, and nothing holds; the largest piece stays in any case.
static void find_dust(const FrShatter *s, FrFallen *fallen) {
    double least = s->how.dust * s->how.dust * s->how.dust, most = 0.0;
    int32_t largest = 0;
    for (int32_t k = 0; k < fallen->count; k++) {
        double volume = fr_tetmesh_props(fallen->child[k].mesh).volume;
        fallen->dust[k] = volume < least && !fallen->held[k];
        if (volume > most) most = volume, largest = k;
    }
    fallen->dust[largest] = false;
    for (int32_t k = 0; k < fallen->count; k++) fallen->dust_count += fallen->dust[k];
}

static FrResult make_children(Falling *f, const FrStruck *struck, FrFallen *fallen) {
    int32_t count;
    fr_pieces_table(f->pieces, &count);
    FR_TRY(follow_weak(f));
    FR_TRY(follow_held(f));
    FR_TRY(dress_pieces(f));
    fallen->child = FR_NEW(f->shatter->ctx, FrBodyDef, count);
    fallen->held = FR_NEW(f->shatter->ctx, uint8_t *, count);
    fallen->dust = FR_NEW(f->shatter->ctx, bool, count);
    if (!fallen->child || !fallen->held || !fallen->dust)
        return fr_no_memory(f->shatter->ctx, "pieces");
    for (int32_t k = 0; k < count; k++) {
        fallen->count = k + 1;
        FR_TRY(make_child(f, k, &fallen->child[k], &fallen->held[k]));
    }
    find_dust(f->shatter, fallen);
    fallen->area = f->along.area;
    fallen->spent = f->shatter->material.Gc * f->along.area;
    if (f->shatter->how.release) fallen->free = fr_max(0.0, struck->elastic - fallen->spent);
    return make_facets(f, fallen);
}

FrResult fr_shatter_sever(FrShatter *s, FrLabels *labels) {
    if (!s->field) s->field = FR_NEW(s->ctx, FrSym3, s->mesh.node_count);
    if (!s->field) return fr_no_memory(s->ctx, "a cut");
    memset(s->field, 0, (size_t)s->mesh.node_count * sizeof *s->field); // a knife frees no stress
    fr_labels_free(s->ctx, &s->labels);
    s->labels = *labels;
    *labels = (FrLabels){0};
    return FR_OK;
}

FrResult fr_shatter_fall_apart(FrShatter *s, const FrStruck *struck, FrFallen *fallen) {
    Falling f = {.shatter = s};
    *fallen = (FrFallen){.ctx = s->ctx};
    FrResult result = cut_along(&f, struck->t);
    if (result == FR_OK) result = make_children(&f, struck, fallen);
    fr_label_cut_free(s->ctx, &f.along);
    fr_cutlog_free(s->ctx, &f.log);
    fr_pieces_destroy(f.pieces);
    fr_cutmesh_destroy(f.cut);
    fr_labels_free(s->ctx, &s->labels);
    fr_dress_free(s->ctx, &f.dress);
    FR_FREE_ALL(s->ctx, f.weak, f.held, f.place);
    if (result != FR_OK) fr_fallen_free(fallen);
    return result;
}

void fr_fallen_free(FrFallen *fallen) {
    for (int32_t k = 0; k < fallen->count; k++) {
        FrBodyDef *child = &fallen->child[k];
        FrTetMesh *mesh = (FrTetMesh *)(uintptr_t)child->mesh;
        FrSurface *surface = (FrSurface *)(uintptr_t)child->surface;
        if (mesh) fr_tetmesh_free(fallen->ctx, mesh);
        if (surface) fr_surface_free(fallen->ctx, surface);
        FrEmbedded *skin = (FrEmbedded *)(uintptr_t)child->embedded;
        fr_embedded_free(fallen->ctx, skin);
        if (fallen->held) fr_free(fallen->ctx, fallen->held[k]);
        FR_FREE_ALL(fallen->ctx, mesh, surface, skin, (void *)(uintptr_t)child->name,
                    (void *)(uintptr_t)child->crack.weak);
    }
    if (fallen->ctx)
        FR_FREE_ALL(fallen->ctx, fallen->child, fallen->held, fallen->dust, fallen->facet);
    *fallen = (FrFallen){0};
}
