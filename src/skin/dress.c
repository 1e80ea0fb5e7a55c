// dress.c: skins of bodies that another one falls into: cut along its cracks, closed, and
// shared out. What is seen of the outside stays as it was.

#include "skin/dress.h"
#include "base/base.h"
#include "mesh/tetmesh.h"
#include "skin/copy.h"
#include "skin/embed_close.h"
#include "skin/embed_cut.h"
#include "skin/faces.h"
#include <string.h>

/// A body on its way to the skins of its pieces.
typedef struct Dressing {
    FrContext *ctx;
    const FrDressWhole *before;
    const FrDressCut *cut;
    const FrTetMesh *mesh; ///< now
    FrSurface now;
    FrFaceRoot *root; ///< of each face now
    FrEmbedded cloth; ///< of all pieces
} Dressing;

// faces that were open before know since when
static FrResult find_faces(Dressing *d, FrDress *dress) {
    const FrSurface *was = d->before->surface;
    size_t bytes = (size_t)d->mesh->tet_count * sizeof *dress->opened;
    FR_TRY(fr_cutmesh_surface(d->cut->mesh, fr_pieces_of_tets(d->cut->pieces), &d->now));
    d->root = FR_NEW(d->ctx, FrFaceRoot, d->now.tri_count);
    dress->opened = fr_alloc_zero(d->ctx, (size_t)d->mesh->tet_count, sizeof *dress->opened);
    if (!d->root || !dress->opened) return fr_no_memory(d->ctx, "pieces");
    memcpy(dress->opened, fr_cutmesh_opened(d->cut->mesh), bytes);
    FR_TRY(fr_face_roots(d->ctx, d->cut->log, was, &d->now, d->root));
    for (int32_t k = 0; k < d->now.tri_count; k++) {
        int32_t root = d->root[k].tri, e = d->now.tet[k];
        if (root < 0 || !was->opened || was->opened[root] < 0.0) continue;
        d->now.opened[k] = was->opened[root];
        for (int i = 0; i < 4; i++) {
            const int32_t *tri = d->now.tri[k];
            int32_t apex = d->mesh->tet[e][i];
            if (apex != tri[0] && apex != tri[1] && apex != tri[2])
                dress->opened[e][i] = was->opened[root];
        }
    }
    return FR_OK;
}

// what the body was shaded with, cut face by face
static FrResult cut_faces(Dressing *d, const FrEmbedded *skin) {
    FrEmbedded own = {0};
    FrFaceCut faces = {d->before->surface, d->mesh, &d->now, d->root};
    FrResult result = skin
                          ? fr_embedded_copy(d->ctx, skin, &own)
                          : fr_embedded_of_faces(d->ctx, d->before->mesh, d->before->surface, &own);
    if (result == FR_OK && !own.normal) result = fr_embedded_shade(d->ctx, d->before->mesh, &own);
    if (result == FR_OK) result = fr_embedded_cut_faces(d->ctx, &own, &faces, &d->cloth);
    fr_embedded_free(d->ctx, &own);
    return result;
}

// Cracks that were there are closed anew with those that came: their strips may have been cut.
static FrResult cut_skin(Dressing *d, const FrEmbedded *skin) {
    FrEmbedded own;
    FR_TRY(fr_embedded_copy(d->ctx, skin, &own));
    own.tri_count -= own.closing_count;
    own.closing_count = 0;
    FrResult result = own.normal ? FR_OK : fr_embedded_shade(d->ctx, d->before->mesh, &own);
    FrPoint *at = FR_NEW(d->ctx, FrPoint, own.point_count);
    if (result == FR_OK && !at) result = fr_no_memory(d->ctx, "a skin");
    if (result == FR_OK) {
        memcpy(at, own.at, (size_t)own.point_count * sizeof *at);
        result = fr_cutlog_retarget(d->ctx, d->cut->log, d->mesh->x, at, own.point_count);
    }
    if (result == FR_OK)
        result = fr_embedded_cut(d->ctx, &own, at, d->cut->mesh, d->cut->pieces, &d->cloth);
    if (result == FR_OK) result = fr_embedded_close(d->ctx, d->mesh, &d->now, &d->cloth);
    fr_free(d->ctx, at);
    fr_embedded_free(d->ctx, &own);
    return result;
}

static FrResult make_cloth(Dressing *d) {
    const FrDressWhole *b = d->before;
    bool faces = !b->skin || fr_embedded_is_of_faces(b->mesh, b->surface, b->skin);
    return faces ? cut_faces(d, b->skin) : cut_skin(d, b->skin);
}

FrResult fr_dress_pieces(FrContext *ctx, const FrDressWhole *before, const FrDressCut *cut,
                         FrDress *dress) {
    Dressing d = {.ctx = ctx, .before = before, .cut = cut, .mesh = fr_cutmesh_view(cut->mesh)};
    *dress = (FrDress){0};
    fr_pieces_table(cut->pieces, &dress->count);
    dress->skin = FR_NEW(ctx, FrEmbedded, dress->count);
    FrResult result = dress->skin ? find_faces(&d, dress) : fr_no_memory(ctx, "pieces");
    if (result == FR_OK) result = make_cloth(&d);
    if (result == FR_OK)
        result = fr_embedded_parts(ctx, &d.cloth, cut->place, dress->skin, dress->count);
    fr_surface_free(ctx, &d.now);
    fr_embedded_free(ctx, &d.cloth);
    fr_free(ctx, d.root);
    if (result != FR_OK) fr_dress_free(ctx, dress);
    return result;
}

void fr_dress_free(FrContext *ctx, FrDress *dress) {
    for (int32_t k = 0; k < dress->count && dress->skin; k++)
        fr_embedded_free(ctx, &dress->skin[k]);
    FR_FREE_ALL(ctx, dress->skin, dress->opened);
    *dress = (FrDress){0};
}
