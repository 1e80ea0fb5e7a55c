// label_divide.c: one tet into parts that each lie in one region, so that its neighbours divide
// their faces alike. [M20]
//
// An edge whose ends have no region in common is cut where the border crosses it, and all parts of
// the tet that have it become two. The new node belongs to the regions of both ends. Such an edge
// that new nodes join to most corners comes first, the longest of these, among equals by number,
// until there is none. A face is cut by its own edges alone, in an order that both of its tets see.

#include "cut/label_inside.h"
#include "cut/cut_tuning.h"

// Where only the next region of each end is known, and that is a third one at some end: its
// distance from that one is the least that d can be there. With one such end the border is nearer
// to the other than by that; with two half way between where that has it and the middle.
static double guess_border(const FrLabels *l, int32_t i, int32_t j) {
    if (l->second[i] < 0 || l->second[j] < 0) return 0.5;
    double here = l->second_key[i] - l->key[i], there = l->second_key[j] - l->key[j];
    bool sound = here >= 0 && there >= 0 && here + there > 0 && here + there < HUGE_VAL;
    double t = sound ? here / (here + there) : 0.5;
    if (sound && l->second[i] == l->label[j]) return FR_LABEL_NEARER * t;
    if (sound && l->second[j] == l->label[i]) return 1 - FR_LABEL_NEARER * (1 - t);
    return 0.5 * (0.5 + t);
}

// d(x) = key of i's region - key of j's region, linear along the edge; the border is where d = 0
// [M20].
double fr_label_border(const FrLabels *l, int32_t i, int32_t j) {
    double here = fr_labels_key(l, i, l->label[j]) - l->key[i];
    double there = fr_labels_key(l, j, l->label[i]) - l->key[j];
    if (!(here < HUGE_VAL && there < HUGE_VAL)) return guess_border(l, i, j);
    return here >= 0 && there >= 0 && here + there > 0 ? here / (here + there) : 0.5;
}

bool fr_label_common(const NodeRegions *a, const NodeRegions *b) {
    for (int32_t i = 0; i < a->count; i++)
        for (int32_t j = 0; j < b->count; j++)
            if (a->region[i] == b->region[j]) return true;
    return false;
}

static uint32_t region_bit(TetParts *p, int32_t region) {
    int32_t k = 0;
    while (k < p->region_count && p->region[k] != region) k++;
    if (k == p->region_count) p->region[p->region_count++] = region;
    return (uint32_t)1 << k;
}

static int8_t place_of(const TetParts *p, int32_t node) {
    int8_t i = 0;
    while (p->corner[i] != node) i++;
    return i;
}

// corners ascending, so that both tets of a face see its corners in the same order
static void begin_parts(const LabelPlan *plan, int32_t e, TetParts *p) {
    const int32_t *n = plan->mesh->tet[e];
    for (int i = 0; i < 4; i++) {
        int k = i;
        for (; k > 0 && p->corner[k - 1] > n[i]; k--) p->corner[k] = p->corner[k - 1];
        p->corner[k] = n[i];
    }
    p->region_count = 0;
    p->node_count = 4;
    p->tet_count = 1;
    for (int i = 0; i < 4; i++) {
        const NodeRegions *of = &plan->of[p->corner[i]];
        PartNode *node = &p->node[i];
        *node = (PartNode){.a = -1, .b = -1, .corners = (uint8_t)(1 << i)};
        node->x = fr_get3(plan->mesh->x, p->corner[i]);
        node->share[i] = 1;
        for (int32_t k = 0; k < of->count; k++) node->regions |= region_bit(p, of->region[k]);
        p->tet[0][i] = place_of(p, n[i]);
    }
}

static void place_cuts(const LabelPlan *plan, TetParts *p) {
    double clamp = plan->options.clamp;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            p->t[i][j] = fr_clamp(fr_label_border(plan->labels, p->corner[i], p->corner[j]), clamp,
                                  1 - clamp);
}

// Which edge is cut first. One between most corners: where three or four regions meet, all parts
// then lie in one of them (but where nodes lie on borders already). In ranks of length, so that
// rounding does not decide in a mesh made by rule; long ones first, as in splits. Then by the
// corners it lies between, which compare alike in all tets that have them.
static int64_t order_of(const LabelPlan *plan, const PartNode *a, const PartNode *b) {
    int power;
    double size = frexp(fr_length2(fr_sub(b->x, a->x)) / plan->unit2 * FR_LABEL_RANK_START, &power);
    int64_t all = a->corners | b->corners, more = fr_max_i(a->corners, b->corners);
    int64_t rank = (int64_t)power * FR_LABEL_RANKS + (int64_t)(size * FR_LABEL_RANKS);
    rank += (int64_t)__builtin_popcount((unsigned)all) * FR_LABEL_MOST_RANKS;
    return rank * 256 + all * 16 + more;
}

// the edge that is cut next, its ends in an order that all tets agree on
static bool find_edge(const LabelPlan *plan, const TetParts *p, int8_t *a, int8_t *b) {
    int64_t first = INT64_MIN;
    for (int32_t k = 0; k < 6 * p->tet_count; k++) {
        int8_t u = p->tet[k / 6][fr_tet_edge[k % 6][0]], v = p->tet[k / 6][fr_tet_edge[k % 6][1]];
        if (p->node[u].regions & p->node[v].regions) continue;
        int64_t order = order_of(plan, &p->node[u], &p->node[v]);
        if (order <= first) continue;
        bool rising = p->node[u].corners < p->node[v].corners;
        first = order;
        *a = rising ? u : v;
        *b = rising ? v : u;
    }
    return first > INT64_MIN;
}

// Where the edge between two nodes of the parts is cut: the mean of where the edges between their
// corners are, by shares; with fewer corners on one side, nearer to the other, so that cuts in
// middles give the middle of the face or tet, where regions meet [M20].
static double cut_point(const LabelPlan *plan, const TetParts *p, const PartNode *a,
                        const PartNode *b) {
    double t = 0, clamp = plan->options.clamp;
    int of_a = __builtin_popcount(a->corners), of_b = __builtin_popcount(b->corners);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (!(a->corners >> i & 1) || !(b->corners >> j & 1)) continue;
            t += a->share[i] * b->share[j] * (i < j ? p->t[i][j] : 1 - p->t[j][i]);
        }
    if (of_a > of_b) t *= 2.0 * of_b / (of_a + of_b);
    if (of_a < of_b) t = 1 - (1 - t) * 2 * of_a / (of_a + of_b);
    return fr_clamp(t, clamp, 1 - clamp);
}

static int8_t add_node(const LabelPlan *plan, TetParts *p, int8_t a, int8_t b) {
    const PartNode *from = &p->node[a], *to = &p->node[b];
    PartNode *node = &p->node[p->node_count];
    *node = (PartNode){.a = a, .b = b, .t = cut_point(plan, p, from, to)};
    node->corners = from->corners | to->corners;
    node->regions = from->regions | to->regions;
    for (int i = 0; i < 4; i++)
        node->share[i] = (1 - node->t) * from->share[i] + node->t * to->share[i];
    node->x = fr_lerp(from->x, to->x, node->t);
    return (int8_t)p->node_count++;
}

static int slot_of(const int8_t n[4], int8_t v) {
    int i = 0;
    while (i < 4 && n[i] != v) i++;
    return i;
}

// every part with the edge a b becomes two with c on it
static void bisect(TetParts *p, int8_t a, int8_t b, int8_t c) {
    int32_t count = p->tet_count;
    for (int32_t k = 0; k < count; k++) {
        int8_t *near = p->tet[k], *far = p->tet[p->tet_count];
        int at_a = slot_of(near, a), at_b = slot_of(near, b);
        if (at_a == 4 || at_b == 4) continue;
        for (int i = 0; i < 4; i++) far[i] = near[i];
        near[at_b] = far[at_a] = c;
        p->tet_count++;
    }
}

void fr_label_divide(const LabelPlan *plan, int32_t e, TetParts *p) {
    int8_t a = 0, b = 0;
    begin_parts(plan, e, p);
    place_cuts(plan, p);
    while (find_edge(plan, p, &a, &b)) bisect(p, a, b, add_node(plan, p, a, b));
}

// The region that most of a part's nodes belong to: all of them, but for a few parts where three
// regions or more meet and nodes lie on borders already. Among several, the one whose corners have
// the largest share; then the lowest.
int32_t fr_label_part_region(const LabelPlan *plan, const TetParts *p, int32_t k) {
    int32_t best = -1, most = 0;
    double largest = 0;
    for (int32_t r = 0; r < p->region_count; r++) {
        int32_t nodes = 0;
        double share = 0;
        for (int i = 0; i < 4; i++) {
            const PartNode *node = &p->node[p->tet[k][i]];
            nodes += (int32_t)(node->regions >> r & 1);
            for (int j = 0; j < 4; j++)
                share += plan->labels->label[p->corner[j]] == p->region[r] ? node->share[j] : 0;
        }
        bool lower = best < 0 || p->region[r] < p->region[best];
        if (nodes < most || (nodes == most && share < largest) ||
            (nodes == most && !(share > largest) && !lower))
            continue;
        best = r;
        most = nodes;
        largest = share;
    }
    return p->region[best];
}

double fr_label_flatness(FrVec3 a, FrVec3 b, FrVec3 c, FrVec3 d) {
    double most = fr_max(fr_length2(fr_sub(b, a)), fr_length2(fr_sub(c, a)));
    most = fr_max(most, fr_max(fr_length2(fr_sub(d, a)), fr_length2(fr_sub(c, b))));
    most = fr_max(most, fr_max(fr_length2(fr_sub(d, b)), fr_length2(fr_sub(d, c))));
    return fr_tet_height(a, b, c, d) / sqrt(most);
}

double fr_label_flattest(const TetParts *p) {
    double least = 1;
    for (int32_t k = 0; k < p->tet_count; k++)
        least = fr_min(least, fr_label_flatness(p->node[p->tet[k][0]].x, p->node[p->tet[k][1]].x,
                                                p->node[p->tet[k][2]].x, p->node[p->tet[k][3]].x));
    return least;
}
