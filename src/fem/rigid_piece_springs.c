// rigid_piece_springs.c: rigid pieces as contacts find them: how fast they swing on them as
// springs, and whether what they touch keeps them awake.

#include "fem/rigid_piece.h"
#include <string.h>

FrResult fr_fem_begin_springs(FrFem *fem) {
    fem->scratch.springs.piece.count = fem->scratch.springs.factor.count =
        fem->scratch.springs.on_node.count = 0;
    if (!fr_array_extend(fem->ctx, &fem->scratch.springs.on_node, fem->state.node_count) ||
        !fr_array_extend(fem->ctx, &fem->scratch.springs.piece, fem->state.pieces.end.count) ||
        !fr_array_extend(fem->ctx, &fem->scratch.springs.factor, fem->state.pieces.end.count))
        return fr_no_memory(fem->ctx, "rigid pieces");
    return FR_OK;
}

// R with R R' = A (Cholesky); columns
static FrMat3 root_of(FrMat3 A) {
    FrMat3 R = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    R.c0.x = sqrt(A.c0.x);
    R.c0.y = A.c0.y / R.c0.x, R.c0.z = A.c0.z / R.c0.x;
    R.c1.y = sqrt(A.c1.y - R.c0.y * R.c0.y);
    R.c1.z = (A.c1.z - R.c0.z * R.c0.y) / R.c1.y;
    R.c2.z = sqrt(A.c2.z - R.c0.z * R.c0.z - R.c1.z * R.c1.z);
    return R;
}

static void set_inertia(FrLoosePiece *piece, double mass, FrVec3 centre, FrMat3 inverse) {
    piece->slowness = 1.0 / sqrt(mass);
    piece->centre = centre;
    piece->root = root_of(inverse);
}

// the rigid piece that has this tet; NULL: it stands or sleeps
static FrLoosePiece *loose_piece(FrFem *fem, int32_t tet) {
    int32_t number = fem->scratch.rigid_of[tet] - FR_FIRST_RIGID;
    if (number < 0 || fr_rigid_piece_sleeps(fem, number)) return NULL;
    FrLoosePiece *piece = &fem->scratch.springs.piece.data[number];
    if (piece->known) return piece;
    *piece = (FrLoosePiece){.known = true, .restless = piece->restless};
    if (fem->scratch.loose.moves) {
        const FrLooseMotion *m = &fem->scratch.loose.motion.data[number];
        set_inertia(piece, m->mass, m->centre, m->inverse);
    } else {
        FrRigidPieceMotion m = fr_rigid_piece_motion(fem, fr_rigid_piece_nodes(fem, number));
        set_inertia(piece, m.mass, m.centre, fr_mat3_inverse(m.inertia));
    }
    return piece;
}

static void add_row(FrLoosePiece *piece, FrVec3 x, FrVec3 d, double stiffness) {
    FrVec3 arm = fr_cross(fr_sub(x, piece->centre), d);
    double g[6];
    for (int k = 0; k < 3; k++) {
        g[k] = piece->slowness * fr_vec3_get(d, k);
        g[3 + k] = fr_dot(k == 0 ? piece->root.c0 : k == 1 ? piece->root.c1 : piece->root.c2, arm);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) piece->K[i][j] += stiffness * g[i] * g[j];
}

void fr_fem_add_spring(FrFem *fem, int32_t tet, FrVec3 x, FrVec3 n, double across, double along) {
    static const FrVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    FrLoosePiece *piece = loose_piece(fem, tet);
    if (!piece) return;
    piece->w2 = 0.0;
    piece->springs++;
    add_row(piece, x, n, across - along);
    for (int k = 0; k < 3; k++) add_row(piece, x, axis[k], along);
}

// a spring at a point is one of no more than its share on each node: sums of rows of k b b'
void fr_fem_add_node_spring(FrFem *fem, FrPoint at, double stiffness) {
    for (int i = 0; i < 4 && !fem->scratch.is_rigid[at.tet]; i++)
        fem->scratch.springs.on_node.data[fem->state.tet[at.tet][i]] += fabs(at.b[i]) * stiffness;
}

double fr_fem_node_w2(const FrFem *fem, int32_t tet) {
    double w2 = 0.0;
    for (int i = 0; i < 4 && !fem->scratch.is_rigid[tet]; i++) {
        int32_t n = fem->state.tet[tet][i];
        if (!fem->state.held[n])
            w2 = fr_max(w2, fem->scratch.springs.on_node.data[n] * fem->scratch.inverse_mass[n]);
    }
    return w2;
}

// A <- A A over its size, which is returned
static double square(double A[6][6]) {
    double B[6][6], size = 0.0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) size = fr_max(size, fabs(A[i][j]));
    for (int i = 0; i < 6 && size > 0.0; i++)
        for (int j = 0; j < 6; j++) {
            B[i][j] = 0.0;
            for (int k = 0; k < 6; k++) B[i][j] += A[i][k] / size * (A[k][j] / size);
        }
    if (size > 0.0) memcpy(A, B, sizeof B);
    return size;
}

// the largest eigenvalue of K is at most tr(K^8)^(1/8), and that at most 6^(1/8) = 1.25 of it
static double find_w2(const FrLoosePiece *piece) {
    double A[6][6], trace = 0.0;
    memcpy(A, piece->K, sizeof A);
    double size[3];
    for (int k = 0; k < 3; k++) size[k] = square(A);
    if (!(size[0] > 0.0)) return 0.0;
    for (int k = 0; k < 6; k++) trace += A[k][k];
    // K^8 = A size[2]^2 size[1]^4 size[0]^8
    double w2 = size[0] * sqrt(size[1]) * sqrt(sqrt(size[2]));
    return w2 * sqrt(sqrt(sqrt(trace)));
}

static double piece_w2(FrLoosePiece *piece) {
    if (!(piece->w2 > 0.0)) piece->w2 = find_w2(piece);
    return piece->w2;
}

double fr_fem_spring_w2(FrFem *fem, int32_t tet) {
    FrLoosePiece *piece = loose_piece(fem, tet);
    return piece ? piece_w2(piece) : 0.0;
}

// of the direction that moves most easily: no more than the sum of three
double fr_fem_ease(FrFem *fem, int32_t tet, FrVec3 x) {
    static const FrVec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    FrLoosePiece *piece = loose_piece(fem, tet);
    if (!piece) return fr_fem_stands(fem, tet) ? 0.0 : HUGE_VAL;
    double ease = piece->slowness * piece->slowness;
    for (int k = 0; k < 3; k++) {
        FrVec3 arm = fr_cross(fr_sub(x, piece->centre), axis[k]);
        FrVec3 g = fr_mat3_apply(fr_mat3_transpose(piece->root), arm);
        ease += fr_dot(g, g);
    }
    return ease * piece->springs;
}

void fr_fem_note_push(FrFem *fem, int32_t tet, FrVec3 push) {
    FrLoosePiece *piece = loose_piece(fem, tet);
    if (!piece) return;
    piece->push = fr_add(piece->push, push);
    piece->pressed += fr_length(push);
}

bool fr_fem_wedged(FrFem *fem, int32_t tet) {
    const FrLoosePiece *piece = loose_piece(fem, tet);
    return piece && fr_length(piece->push) < FR_WEDGED * piece->pressed;
}

const double *fr_fem_soften(FrFem *fem, double most) {
    for (int32_t k = 0; k < fem->state.pieces.end.count; k++) {
        double w2 = fem->scratch.springs.piece.data[k].known
                        ? piece_w2(&fem->scratch.springs.piece.data[k])
                        : 0.0;
        fem->scratch.springs.factor.data[k] = w2 > most ? most / w2 : 1.0;
    }
    return fem->scratch.springs.factor.data;
}

double *fr_fem_softness(FrFem *fem, int32_t tet) {
    FrLoosePiece *piece = loose_piece(fem, tet);
    return piece ? &fem->scratch.springs.factor.data[fem->scratch.rigid_of[tet] - FR_FIRST_RIGID]
                 : NULL;
}

void fr_fem_make_restless(FrFem *fem, int32_t tet) {
    FrLoosePiece *piece = loose_piece(fem, tet);
    if (piece) piece->restless = true;
}
