// corot_cut.c: a corot body follows cuts along faces of its mesh, and tells what tears at its tets.

#include "corot/corot_body.h"
#include <string.h>

// an array of some numbers a node, longer; what is new is 0
static bool lengthen(FrContext *ctx, void *array, size_t before, size_t now) {
    unsigned char *old;
    memcpy(&old, array, sizeof old);
    unsigned char *longer = fr_resize(ctx, old, now);
    if (!longer) return false;
    memcpy(array, &longer, sizeof longer);
    if (now > before) memset(longer + before, 0, now - before);
    return true;
}

static bool reserve(FrCorot *b, int32_t nodes) {
    double **vector[] = {&b->x,       &b->p,     &b->v,       &b->drive,   &b->f, &b->load,
                         &b->contact, &b->given, &b->began.p, &b->began.v, &b->q};
    size_t before = (size_t)b->node_count, now = (size_t)nodes, number = sizeof(double);
    bool room = true;
    for (size_t k = 0; k < sizeof vector / sizeof vector[0]; k++)
        room = lengthen(b->ctx, vector[k], 3 * number * before, 3 * number * now) && room;
    return lengthen(b->ctx, &b->mass, number * before, number * now) &&
           lengthen(b->ctx, &b->drag, number * before, number * now) &&
           lengthen(b->ctx, &b->held, before, now) &&
           lengthen(b->ctx, &b->first, sizeof(int32_t) * (before + 1),
                    sizeof(int32_t) * (now + 1)) &&
           room;
}

FrResult fr_corot_adopt(FrCorot *b, const FrTetMesh *mesh) {
    FR_ASSERT_IN(b->ctx, mesh->tet_count == b->tet_count && mesh->node_count >= b->node_count,
                 "cuts along faces divide no tet");
    if (!reserve(b, mesh->node_count)) return fr_no_memory(b->ctx, "a corot body that was cut");
    int32_t before = b->node_count;
    b->node_count = mesh->node_count;
    memcpy(b->x, mesh->x, 3 * (size_t)b->node_count * sizeof *b->x);
    for (int32_t e = 0; e < FR_LANES * b->block_count; e++) {
        int32_t tet = fr_min_i(e, b->tet_count - 1);
        for (int i = 0; i < 4; i++) {
            b->tet[tet][i] = mesh->tet[tet][i];
            b->block[e / FR_LANES].node[i][e % FR_LANES] = mesh->tet[tet][i];
        }
    }
    FR_TRY(fr_corot_weigh(b));
    FR_TRY(fr_corot_link(b));
    return fr_corot_heat_link(b, mesh, before);
}

FrResult fr_corot_cut(FrCorot *b, const FrCutLog *log, const FrTetMesh *mesh) {
    FR_TRY(fr_corot_adopt(b, mesh));
    for (int32_t k = 0; k < log->node_count; k++) {
        int32_t copy = log->first_node + k, of = log->nodes[k].a;
        fr_set3(b->p, copy, fr_get3(b->p, of));
        fr_set3(b->v, copy, fr_get3(b->v, of));
        fr_set3(b->drive, copy, fr_get3(b->drive, of));
        b->held[copy] = b->held[of];
        if (b->heat.feels) b->heat.above[copy] = b->heat.above[of];
    }
    b->topology++;
    fr_corot_gather(b, b->force, b->f);
    return FR_OK;
}

static FrMat3 gradient_of(const FrCorot *b, int32_t tet) {
    const FrCorotBlock *block = &b->block[tet / FR_LANES];
    FrVec3 o = fr_get3(b->p, b->tet[tet][0]);
    FrMat3 F = fr_mat3_zero;
    for (int i = 1; i < 4; i++) {
        FrVec3 G = {block->G[i][0][tet % FR_LANES], block->G[i][1][tet % FR_LANES],
                    block->G[i][2][tet % FR_LANES]};
        F = fr_mat3_axpy(1.0, fr_outer(fr_sub(fr_get3(b->p, b->tet[tet][i]), o), G), F);
    }
    return F;
}

// elastic strain of a tet in its own axes, which have turned by R
static FrSym3 strain_of(const FrCorot *b, int32_t tet, FrMat3 *R) {
    const FrCorotBlock *block = &b->block[tet / FR_LANES];
    FrVec3 c[3];
    for (int k = 0; k < 3; k++)
        c[k] = fr_vec3(block->R[k][0][tet % FR_LANES], block->R[k][1][tet % FR_LANES],
                       block->R[k][2][tet % FR_LANES]);
    *R = fr_mat3(c[0], c[1], c[2]);
    FrSym3 e = fr_mat3_sym(fr_mat3_mul(fr_mat3_transpose(*R), gradient_of(b, tet)));
    e.xx -= 1.0, e.yy -= 1.0, e.zz -= 1.0;
    return fr_sym3_axpy(-1.0, fr_corot_plastic_strain(b, tet), e);
}

FrSym3 fr_corot_stress(const FrCorot *b, int32_t tet, FrMat3 *R) {
    const FrCorotBlock *block = &b->block[tet / FR_LANES];
    FrSym3 e = strain_of(b, tet, R),
           s = fr_sym3_axpy(2.0 * block->mu[tet % FR_LANES], e, fr_sym3_zero);
    double t = block->lambda[tet % FR_LANES] * (e.xx + e.yy + e.zz);
    s.xx += t, s.yy += t, s.zz += t;
    return s;
}

double fr_corot_tet_energy(const FrCorot *b, int32_t tet) {
    FrMat3 R;
    FrSym3 e = strain_of(b, tet, &R), s = fr_corot_stress(b, tet, &R);
    return 0.5 * fr_corot_tet_volume(b, tet) * fr_sym3_dot(e, s);
}

double fr_corot_tet_volume(const FrCorot *b, int32_t tet) {
    return b->block[tet / FR_LANES].vol[tet % FR_LANES];
}
