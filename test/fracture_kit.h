// fracture_kit.h: bodies that may break, for tests of what breaks a body.
#pragma once
#include "fracture/inside.h"
#include "crack_kit.h"
#include "fem_mesh.h"

/// one material, pieces of any size, children as flat as 0.05
static inline FrFractureDef test_fracture_of(const FrToughness *toughness) {
    FrFractureDef def = fr_fracture_def_default();
    def.toughness = toughness;
    def.material_count = 1;
    def.crack = test_paper_crack();
    def.crack.min_piece = def.crack.pieces.rigid_piece = 0.0;
    def.crack.remeshing.min_height = 0.05;
    return def;
}

/// the same of a mesh, with what bodies of a world lend: test_fracture_free frees that, too
static inline FrFractureDef test_fracture_def(FrContext *ctx, const FrTetMesh *mesh,
                                              const FrToughness *toughness) {
    FrFractureDef def = test_fracture_of(toughness);
    CHECK_OK(ctx, fr_cutmesh_create(ctx, mesh, &def.cut));
    CHECK_OK(ctx, fr_pieces_create(ctx, def.cut, &def.pieces));
    return def;
}

static inline void test_fracture_free(FrFracture *fracture) {
    FrCutMesh *cut = fracture->cut;
    FrPieces *pieces = fracture->pieces;
    fr_fracture_destroy(fracture);
    fr_pieces_destroy(pieces);
    fr_cutmesh_destroy(cut);
}

/// cracks of a body as a checkpoint has them: what is lent, then the rest
static inline void test_fracture_save(const FrFracture *fracture, FrWriter *writer) {
    fr_cutmesh_save(fracture->cut, writer);
    fr_pieces_save(fracture->pieces, writer);
    fr_fracture_save(fracture, writer);
}

static inline FrResult test_fracture_load(FrFracture *fracture, FrReader *reader) {
    FR_TRY(fr_cutmesh_load(fracture->cut, reader));
    FR_TRY(fr_pieces_load(fracture->pieces, fracture->cut, reader));
    return fr_fracture_load(fracture, reader);
}

typedef struct Plate {
    FrContext *ctx;
    FrTetMesh mesh;
    FrMaterial material;
    FrFem *fem;
    FrFracture *fracture;
} Plate;

/// n x 1 x n cells of 10 cm; strength 1 kPa at 1 MPa, along the axes of `A` where that is given;
/// `alpha1`: damping, s
static inline Plate plate_of(int n, double residual, const double *weak, const FrMat3 *A,
                             double alpha1) {
    Plate p = {.ctx = test_context(1), .mesh = test_box(n, 1, n, 0.1)};
    p.material = test_material(1e6, 0.0, alpha1);
    p.material.density = 1000.0;
    p.material.strength = 1000.0;
    p.fem = test_body(p.ctx, &p.mesh, &p.material);
    FrToughness toughness = {.strength = 1000.0, .residual = residual, .directional = A != NULL};
    if (A) toughness.A = *A;
    FrFractureDef def = test_fracture_def(p.ctx, &p.mesh, &toughness);
    def.crack.weak = weak;
    CHECK_OK(p.ctx, fr_fracture_create(p.ctx, p.fem, &def, &p.fracture));
    return p;
}

static inline Plate plate_make(int n, double residual, const double *weak) {
    return plate_of(n, residual, weak, NULL, 0.0);
}

static inline void plate_free(Plate *p) {
    test_fracture_free(p->fracture);
    fr_fem_destroy(p->fem);
    test_mesh_free(&p->mesh);
    fr_context_destroy(p->ctx);
}

/// the mesh as cut so far
static inline const FrTetMesh *plate_mesh(const Plate *p) {
    return fr_cutmesh_view(p->fracture->cut);
}

/// stretch it by these parts along x, y and z
static inline void plate_stretch(Plate *p, double x, double y, double z) {
    const FrTetMesh *mesh = plate_mesh(p);
    double *at = calloc(3 * (size_t)mesh->node_count, sizeof *at);
    for (int32_t n = 0; n < mesh->node_count; n++) {
        FrVec3 m = fr_get3(mesh->x, n);
        fr_set3(at, n, fr_vec3((1.0 + x) * m.x, (1.0 + y) * m.y, (1.0 + z) * m.z));
    }
    fr_fem_set_state(p->fem, at, NULL);
    free(at);
}

/// A body that may break, of one material.
typedef struct Block {
    FrContext *ctx;
    FrTetMesh mesh;
    FrFem *fem;
    FrFracture *fracture;
} Block;

/// takes the context and the mesh; `least`: volume that a piece has at least, mean tets
static inline Block block_of(FrContext *ctx, FrTetMesh mesh, const FrMaterial *material,
                             double strength, double least) {
    Block b = {.ctx = ctx, .mesh = mesh};
    FrToughness toughness = {.strength = strength};
    b.fem = test_body(b.ctx, &b.mesh, material);
    FrFractureDef def = test_fracture_def(b.ctx, &b.mesh, &toughness);
    def.crack.min_piece = least;
    CHECK_OK(b.ctx, fr_fracture_create(b.ctx, b.fem, &def, &b.fracture));
    return b;
}

static inline void block_free(Block *b) {
    test_fracture_free(b->fracture);
    fr_fem_destroy(b->fem);
    test_mesh_free(&b->mesh);
    fr_context_destroy(b->ctx);
}
