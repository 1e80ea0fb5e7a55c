// remedy.c: mass on nodes of small tets, small pieces that move as rigid ones, or leave as dust.

#include "fem/remedy.h"
#include "fem/body.h"
#include <string.h>

void fr_fem_set_floor(FrFem *fem, double part, double most) {
    FR_ASSERT(part >= 0.0 && part <= 1.0 && most >= 0.0, "a floor lies between 0 and 1");
    fem->floor_part = part;
    fem->added_limit = most * fem->total_mass;
}

FrFemRemedies fr_fem_remedies(const FrFem *fem) {
    FrFemRemedies remedies = fem->remedies;
    remedies.dust_energy = fem->works.dust;
    return remedies;
}

// The node keeps its momentum and slows down; a held one keeps its velocity, and the hand does it.
static void add_mass(FrFem *fem, int32_t n, double mass) {
    FrVec3 v = fr_get3(fem->v, n);
    double had = fem->mass[n], has = had + mass, v2 = fr_dot(v, v);
    fem->mass[n] = has;
    fem->inverse_mass[n] = 1.0 / has;
    fem->added[n] += mass;
    fem->remedies.added_mass += mass;
    if (fem->held[n]) {
        fem->works.impulse = fr_axpy(mass, v, fem->works.impulse);
        fem->works.load += 0.5 * mass * v2;
        return;
    }
    fr_set3(fem->v, n, fr_scale(had / has, v));
    fem->works.fracture += 0.5 * had * v2 * (mass / has);
}

// What a level asks of nodes: mass * (w2 * level / first_w2 - 1) where that is above 0; of those
// nodes together `pull` * level - `have`, kg.
typedef struct Asked {
    double pull, have; ///< kg
    int32_t count;
} Asked;

static Asked ask(const FrFem *fem, const int32_t *node, int32_t count, double level) {
    Asked asked = {0};
    for (int32_t k = 0; k < count; k++) {
        double over = fem->node_w2[node[k]] / fem->first_w2;
        if (!(over * level > 1.0)) continue;
        asked.pull += fem->mass[node[k]] * over;
        asked.have += fem->mass[node[k]];
        asked.count++;
    }
    return asked;
}

// what is wished for while there is mass: steps of this share of the first
#define WISH 0.75

// first_w2 over the largest w2 that is left: the wish with the first quarter of the mass; with the
// second it falls to the floor, the rest is for that alone; lower where there is not enough of it
static double afford(const FrFem *fem, Asked asked, double floor) {
    double limit = fem->added_limit, left = fr_max(0.0, limit - fem->remedies.added_mass);
    double wish = fr_max(WISH * WISH, floor), slope = (wish - floor) / (0.25 * limit);
    double level = (floor + slope * (left - 0.5 * limit + asked.have)) / (1.0 + slope * asked.pull);
    level = fr_clamp(level, floor, wish);
    return fr_min(level, (left + asked.have) / asked.pull);
}

// The step follows the largest w2, so mass is worth most where that is: all nodes above some w2
// come down to it. With too many nodes counted the level comes out too high, never too low, so that
// those it leaves are to be left.
bool fr_fem_weigh_down(FrFem *fem, const int32_t *node, int32_t count) {
    double floor = fem->floor_part * fem->floor_part, level = fr_max(WISH * WISH, floor);
    if (!(floor > 0.0 && fem->added_limit > 0.0)) return false;
    Asked asked = ask(fem, node, count, level);
    // a node whose w2 is the level itself may come back by rounding: that ends it, too
    for (int32_t before = INT32_MAX; asked.count && asked.count < before;) {
        before = asked.count;
        level = afford(fem, asked, floor);
        asked = ask(fem, node, count, level);
    }
    if (!asked.count) return false;
    if (level < floor) fem->remedies.below_floor = true;
    for (int32_t k = 0; k < count; k++) {
        double over = fem->node_w2[node[k]] / fem->first_w2 * level;
        if (over > 1.0) add_mass(fem, node[k], fem->mass[node[k]] * (over - 1.0));
    }
    return true;
}

bool fr_fem_is_stiff(const FrFem *fem, int32_t tet) { return fem->stiff[tet] != 0; }

const uint8_t *fr_fem_crumbs(const FrFem *fem) {
    return fem->remedies.rigid_pieces ? fem->stiff : NULL;
}

bool fr_fem_is_loose(const FrFem *fem) {
    for (int32_t e = 0; e < fem->tet_count; e++)
        if (!fem->stiff[e]) return false;
    return true;
}

void fr_fem_silence(FrFem *fem, int32_t tet) {
    int32_t lane = fem->chunks.tet_lane[tet], k = lane % FR_LANES;
    FrTetBlock *block = &fem->chunks.block[lane / FR_LANES];
    block->vol[k] = block->w2[k] = block->damp[k] = block->share[k] = 0.0;
}

/// How a piece moves.
typedef struct Motion {
    double mass;
    FrVec3 centre, v, turn; ///< turn: angular momentum about the centre, kg m^2/s
    FrVec3 spin;            ///< rad/s
} Motion;

// inertia of masses about `centre`, kg m^2
static FrMat3 inertia_of(const FrFem *fem, const int32_t *node, int32_t count, FrVec3 centre) {
    FrMat3 I = {fr_vec3_zero, fr_vec3_zero, fr_vec3_zero};
    for (int32_t k = 0; k < count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->p, node[k]), centre);
        double m = fem->mass[node[k]], r2 = fr_dot(r, r);
        I.c0 = fr_add(I.c0, fr_vec3(m * (r2 - r.x * r.x), -m * r.x * r.y, -m * r.x * r.z));
        I.c1 = fr_add(I.c1, fr_vec3(-m * r.x * r.y, m * (r2 - r.y * r.y), -m * r.y * r.z));
        I.c2 = fr_add(I.c2, fr_vec3(-m * r.x * r.z, -m * r.y * r.z, m * (r2 - r.z * r.z)));
    }
    return I;
}

// the rigid motion with the same momentum and angular momentum
static Motion motion_of(const FrFem *fem, const int32_t *node, int32_t count) {
    Motion m = {0};
    for (int32_t k = 0; k < count; k++) {
        double mass = fem->mass[node[k]];
        m.mass += mass;
        m.centre = fr_axpy(mass, fr_get3(fem->p, node[k]), m.centre);
        m.v = fr_axpy(mass, fr_get3(fem->v, node[k]), m.v);
    }
    m.centre = fr_scale(1.0 / m.mass, m.centre);
    m.v = fr_scale(1.0 / m.mass, m.v);
    for (int32_t k = 0; k < count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->p, node[k]), m.centre);
        FrVec3 w = fr_sub(fr_get3(fem->v, node[k]), m.v);
        m.turn = fr_axpy(fem->mass[node[k]], fr_cross(r, w), m.turn);
    }
    m.spin = fr_mat3_apply(fr_mat3_inverse(inertia_of(fem, node, count, m.centre)), m.turn);
    return m;
}

static double kinetic_of(const FrFem *fem, const int32_t *node, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) {
        FrVec3 v = fr_get3(fem->v, node[k]);
        sum += 0.5 * fem->mass[node[k]] * fr_dot(v, v);
    }
    return sum;
}

static void set_motion(FrFem *fem, const int32_t *node, int32_t count, const Motion *m) {
    for (int32_t k = 0; k < count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->p, node[k]), m->centre);
        fr_set3(fem->v, node[k], fr_add(m->v, fr_cross(m->spin, r)));
    }
}

// Nodes were kicked one by one and moved by dt v. The piece turns instead, with the momenta that
// its nodes have together; what its nodes then have less of kinetic energy is work that the forces
// on them did not do: mean velocities of a rigid motion are at right angles to what was left out.
static void move_piece(FrFem *fem, const int32_t *node, int32_t count, double dt) {
    double before = kinetic_of(fem, node, count);
    for (int32_t k = 0; k < count; k++)
        fr_set3(fem->p, node[k], fr_axpy(-dt, fr_get3(fem->v, node[k]), fr_get3(fem->p, node[k])));
    Motion m = motion_of(fem, node, count);
    FrMat3 R = fr_quat_mat3(fr_quat_from_rotation(fr_scale(dt, m.spin)));
    FrVec3 to = fr_axpy(dt, m.v, m.centre);
    for (int32_t k = 0; k < count; k++) {
        FrVec3 r = fr_sub(fr_get3(fem->p, node[k]), m.centre);
        fr_set3(fem->p, node[k], fr_add(to, fr_mat3_apply(R, r)));
    }
    m.centre = to;
    m.spin = fr_mat3_apply(fr_mat3_inverse(inertia_of(fem, node, count, to)), m.turn);
    set_motion(fem, node, count, &m);
    fem->works.contact -= before - kinetic_of(fem, node, count);
}

/// The nodes of rigid piece k.
typedef struct PieceNodes {
    const int32_t *node;
    int32_t count;
} PieceNodes;

static PieceNodes nodes_of(const FrFem *fem, int32_t k) {
    int32_t begin = k ? fem->rigid.data[k - 1] : 0;
    return (PieceNodes){fem->rigid_node.data + begin, fem->rigid.data[k] - begin};
}

// hands hold what sleeps, and nothing else that is rigid
static bool sleeps(const FrFem *fem, int32_t k) { return fem->held[nodes_of(fem, k).node[0]] != 0; }

void fr_fem_move_stiff(FrFem *fem, double dt) {
    for (int32_t k = 0; k < fem->rigid.count; k++) {
        PieceNodes piece = nodes_of(fem, k);
        if (!sleeps(fem, k)) move_piece(fem, piece.node, piece.count, dt);
    }
}

FrResult fr_fem_begin_springs(FrFem *fem) {
    fem->loose.count = fem->soft.count = 0;
    if (!fr_array_extend(fem->ctx, &fem->loose, fem->rigid.count) ||
        !fr_array_extend(fem->ctx, &fem->soft, fem->rigid.count))
        return fr_no_memory(fem->ctx, "rigid pieces");
    return FR_OK;
}

// numbers of rigid_of
#define STANDS 1
#define FIRST_RIGID 2

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

// the rigid piece that has this tet; NULL: it stands or sleeps
static FrLoosePiece *loose_piece(FrFem *fem, int32_t tet) {
    int32_t number = fem->rigid_of[tet] - FIRST_RIGID;
    if (number < 0 || sleeps(fem, number)) return NULL;
    FrLoosePiece *piece = &fem->loose.data[number];
    if (piece->known) return piece;
    PieceNodes nodes = nodes_of(fem, number);
    Motion m = motion_of(fem, nodes.node, nodes.count);
    FrMat3 inertia = inertia_of(fem, nodes.node, nodes.count, m.centre);
    *piece = (FrLoosePiece){.known = true,
                            .uneasy = piece->uneasy,
                            .slowness = 1.0 / sqrt(m.mass),
                            .centre = m.centre,
                            .root = root_of(fr_mat3_inverse(inertia))};
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
    add_row(piece, x, n, across - along);
    for (int k = 0; k < 3; k++) add_row(piece, x, axis[k], along);
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

const double *fr_fem_soften(FrFem *fem, double most) {
    for (int32_t k = 0; k < fem->rigid.count; k++) {
        double w2 = fem->loose.data[k].known ? piece_w2(&fem->loose.data[k]) : 0.0;
        fem->soft.data[k] = w2 > most ? most / w2 : 1.0;
    }
    return fem->soft.data;
}

// what nodes give up when they stop
typedef struct Stop {
    double energy;   ///< kinetic, J
    FrVec3 momentum; ///< kg m/s
} Stop;

// Nodes stay where they are, held at rest: gravity and the hand that holds them balance.
static void stop_node(FrFem *fem, int32_t n, Stop *stop) {
    FrVec3 v = fr_get3(fem->v, n), p = fr_scale(fem->mass[n], v);
    if (fem->held[n]) return; // by a hand, or another tet of the piece had it already
    stop->energy += 0.5 * fr_dot(p, v);
    stop->momentum = fr_add(stop->momentum, p);
    fr_fem_hold(fem, n);
    fr_set3(fem->v, n, fr_vec3_zero);
}

static double speed_of(const FrFem *fem, PieceNodes piece) {
    double most = 0.0;
    for (int32_t k = 0; k < piece.count; k++)
        most = fr_max(most, fr_length2(fr_get3(fem->v, piece.node[k])));
    return sqrt(most);
}

double fr_fem_note_still(FrFem *fem, double span, double limit) {
    double least = HUGE_VAL;
    for (int32_t k = 0; k < fem->rigid.count; k++) {
        double *still = &fem->rigid_still.data[k];
        *still = speed_of(fem, nodes_of(fem, k)) < limit ? *still + span : 0.0;
        least = fr_min(least, *still);
    }
    return least;
}

double fr_fem_still(const FrFem *fem, int32_t tet) {
    int32_t number = fem->rigid_of[tet] - FIRST_RIGID;
    return number < 0 ? HUGE_VAL : fem->rigid_still.data[number];
}

void fr_fem_make_uneasy(FrFem *fem, int32_t tet) {
    FrLoosePiece *piece = loose_piece(fem, tet);
    if (piece) piece->uneasy = true;
}

void fr_fem_fall_asleep(FrFem *fem, double after) {
    for (int32_t k = 0; k < fem->rigid.count; k++) {
        if (!(fem->rigid_still.data[k] >= after) || fem->loose.data[k].uneasy || sleeps(fem, k))
            continue;
        PieceNodes piece = nodes_of(fem, k);
        Stop stop = {0};
        for (int32_t j = 0; j < piece.count; j++) stop_node(fem, piece.node[j], &stop);
        fem->works.contact -= stop.energy;
        fem->works.impulse = fr_sub(fem->works.impulse, stop.momentum);
        fem->current = false;
    }
}

static void wake(FrFem *fem, int32_t k) {
    if (!sleeps(fem, k)) return;
    PieceNodes piece = nodes_of(fem, k);
    fem->rigid_still.data[k] = 0.0;
    for (int32_t j = 0; j < piece.count; j++) fr_fem_release(fem, piece.node[j]);
}

void fr_fem_wake(FrFem *fem, int32_t tet) {
    if (fem->rigid_of[tet] >= FIRST_RIGID) wake(fem, fem->rigid_of[tet] - FIRST_RIGID);
}

void fr_fem_wake_all(FrFem *fem) {
    for (int32_t k = 0; k < fem->rigid.count; k++) wake(fem, k);
}

static bool any_held(const FrFem *fem, const int32_t *tet, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++)
            if (fem->held[fem->tet[tet[k]][i]]) return true;
    return false;
}

// the nodes of the tets, each once, at the end of the list
static bool list_nodes(FrFem *fem, const int32_t *tet, int32_t count) {
    int32_t first = fem->rigid_node.count;
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            int32_t n = fem->tet[tet[k]][i];
            bool known = false;
            for (int32_t j = first; j < fem->rigid_node.count && !known; j++)
                known = fem->rigid_node.data[j] == n;
            if (!known && !fr_array_push(fem->ctx, &fem->rigid_node, n)) {
                fem->rigid_node.count = first;
                return false;
            }
        }
    return true;
}

// the elastic part of the ledger, J: stored, and half a kick's work (fr_fem_energy)
static double elastic_part(FrFem *fem) {
    fr_fem_evaluate(fem);
    return fem->energy + 0.5 * fem->last_dt * fem->sums.elastic;
}

// its tets have no forces any more; `number` as in rigid_of
static void silence_piece(FrFem *fem, const int32_t *tet, int32_t count, int32_t number) {
    for (int32_t k = 0; k < count; k++) {
        fem->stiff[tet[k]] = 1;
        fem->rigid_of[tet[k]] = number;
        fr_fem_silence(fem, tet[k]);
    }
    fem->current = false;
}

static double volume_of(const FrFem *fem, const int32_t *tet, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) sum += fr_chunks_volume(&fem->chunks, tet[k]);
    return sum;
}

FrResult fr_fem_stiffen(FrFem *fem, const int32_t *tet, int32_t count) {
    int32_t first = fem->rigid_node.count;
    if (fem->integrator != FR_SYMPLECTIC || any_held(fem, tet, count)) return FR_OK;
    if (!fr_array_reserve(fem->ctx, &fem->rigid, 1) ||
        !fr_array_reserve(fem->ctx, &fem->rigid_still, 1) || !list_nodes(fem, tet, count))
        return fr_no_memory(fem->ctx, "a rigid piece");
    const int32_t *node = fem->rigid_node.data + first;
    int32_t nodes = fem->rigid_node.count - first;
    double elastic = elastic_part(fem);
    double before = kinetic_of(fem, node, nodes);
    Motion m = motion_of(fem, node, nodes);
    set_motion(fem, node, nodes, &m);
    fem->remedies.rigid_volume += volume_of(fem, tet, count);
    silence_piece(fem, tet, count, FIRST_RIGID + fem->rigid.count);
    fem->rigid.data[fem->rigid.count++] = fem->rigid_node.count;
    fem->rigid_still.data[fem->rigid_still.count++] = 0.0;
    fem->remedies.rigid_pieces++;
    fem->works.fracture += elastic - elastic_part(fem);
    fem->works.fracture += before - kinetic_of(fem, node, nodes);
    return FR_OK;
}

FrResult fr_fem_number_rigid(FrFem *fem) {
    int32_t *piece = FR_NEW(fem->ctx, int32_t, fem->node_count);
    if (!piece) return fr_no_memory(fem->ctx, "rigid pieces");
    for (int32_t k = 0, at = 0; k < fem->rigid.count; k++)
        for (; at < fem->rigid.data[k]; at++) piece[fem->rigid_node.data[at]] = FIRST_RIGID + k;
    for (int32_t e = 0; e < fem->tet_count; e++) {
        int32_t number = piece[fem->tet[e][0]];
        fem->rigid_of[e] = !fem->stiff[e] || fem->gone[e] ? 0 : number ? number : STANDS;
    }
    fr_free(fem->ctx, piece);
    return FR_OK;
}

void fr_fem_set_fast(FrFem *fem, bool fast) { fem->fast = fast; }

void fr_fem_stand(FrFem *fem, const int32_t *tet, int32_t count) {
    Stop stop = {0};
    if (!fem->fast || fem->integrator != FR_SYMPLECTIC || !any_held(fem, tet, count)) return;
    double elastic = elastic_part(fem);
    for (int32_t k = 0; k < 4 * count; k++) stop_node(fem, fem->tet[tet[k / 4]][k % 4], &stop);
    fem->remedies.rigid_volume += volume_of(fem, tet, count);
    fem->remedies.rigid_pieces++;
    silence_piece(fem, tet, count, STANDS);
    fem->works.fracture += elastic - elastic_part(fem) + stop.energy;
    fem->works.impulse = fr_sub(fem->works.impulse, stop.momentum);
}

void fr_fem_set_dust(FrFem *fem, double most) {
    FR_ASSERT(most >= 0.0 && most <= 1.0, "a share of the mass lies between 0 and 1");
    fem->dust_limit = most * fem->total_mass;
}

// a quarter of each tet's mass is at each of its nodes, and what the floor put there
static double mass_of(const FrFem *fem, const int32_t *tet, int32_t count) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++)
        sum += fem->material[fem->region[tet[k]]].density * fr_chunks_volume(&fem->chunks, tet[k]);
    return sum;
}

bool fr_fem_leave(FrFem *fem, const int32_t *tet, int32_t count, FrDust *dust) {
    *dust = (FrDust){.mass = mass_of(fem, tet, count)};
    if (fem->remedies.dust_mass + dust->mass > fem->dust_limit || any_held(fem, tet, count))
        return false;
    double elastic = elastic_part(fem);
    Stop stop = {0};
    for (int32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            FrVec3 p = fr_get3(fem->p, fem->tet[tet[k]][i]);
            dust->centre = fr_axpy(0.25 * mass_of(fem, tet + k, 1) / dust->mass, p, dust->centre);
            stop_node(fem, fem->tet[tet[k]][i], &stop);
            fem->gone[tet[k]] = 1;
        }
    silence_piece(fem, tet, count, 0);
    dust->momentum = stop.momentum;
    dust->energy = stop.energy + (elastic - elastic_part(fem));
    fem->works.dust += dust->energy;
    fem->works.impulse = fr_sub(fem->works.impulse, dust->momentum);
    fem->remedies.dust_mass += dust->mass;
    fem->remedies.dust_pieces++;
    return true;
}

void fr_fem_shrink(FrFem *fem, const int32_t *tet, int32_t count, FrVec3 to) {
    for (int32_t k = 0; k < 4 * count; k++) {
        int32_t n = fem->tet[tet[k / 4]][k % 4];
        fr_fem_hold(fem, n); // a new node between hands may have been let go
        fr_set3(fem->p, n, to);
    }
    fem->current = false;
}
