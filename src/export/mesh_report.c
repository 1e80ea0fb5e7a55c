// mesh_report.c: counts, sizes and angles of a tet mesh.

#include "export/mesh_report.h"
#include "export/report_text.h"
#include "math/vec.h"
#include "mesh/order2.h"
#include "mesh/quality.h"
#include "mesh/tetmesh.h"
#include <string.h>

FrResult fr_mesh_numbers(FrContext *ctx, const FrTetMesh *mesh, FrMeshNumbers *n) {
    FrMeshQuality quality;
    FrMeshCheck check;
    FR_TRY(fr_tetmesh_check(ctx, mesh, &check));
    FR_TRY(fr_tetmesh_quality(ctx, mesh, &quality));
    *n = (FrMeshNumbers){.name = n->name,
                         .method = n->method,
                         .nodes = mesh->node_count,
                         .tets = mesh->tet_count,
                         .components = check.component_count,
                         .slivers = quality.sliver_count,
                         .volume = quality.volume,
                         .min_dihedral_deg = quality.min_dihedral,
                         .max_dihedral_deg = quality.max_dihedral,
                         .min_edge = quality.min_edge,
                         .mean_edge = quality.mean_edge,
                         .max_edge = quality.max_edge,
                         .min_radius_ratio = quality.min_radius_ratio,
                         .mean_radius_ratio = quality.mean_radius_ratio,
                         .size = fr_box_size(fr_tetmesh_bounds(mesh)),
                         .closed = check.nonmanifold_edges == 0,
                         .order = mesh->order};
    if (mesh->order == 2) n->volume = fr_order2_volume(mesh);
    memcpy(n->histogram, quality.histogram, sizeof n->histogram);
    return FR_OK;
}

static void print_histogram(FrWriter *w, const FrMeshNumbers *n) {
    int32_t most = 1;
    for (int k = 0; k < 18; k++) most = fr_max_i(most, n->histogram[k]);
    for (int k = 0; k < 18; k++) {
        if (!n->histogram[k]) continue;
        fr_print(w, "  %3d-%3d deg %8d ", 10 * k, 10 * k + 10, n->histogram[k]);
        for (int32_t bar = 0; bar < (int32_t)(40.0 * n->histogram[k] / most + 0.5); bar++)
            fr_print(w, "#");
        fr_print(w, "\n");
    }
}

void fr_mesh_print(FrWriter *w, const FrMeshNumbers *n) {
    fr_print(w, "%s (%s)\n", n->name, n->method);
    fr_print(w, "  %d tet%s%s, %d nodes, %d part%s, surface %s\n", n->tets, fr_s(n->tets),
             n->order == 2 ? " of 10 nodes" : "", n->nodes, n->components, fr_s(n->components),
             n->closed ? "closed" : "with non-manifold edges");
    fr_print(w, "  size %.4g x %.4g x %.4g m, volume %.6g m^3\n", n->size.x, n->size.y, n->size.z,
             n->volume);
    fr_print(w,
             "  edges %.4g to %.4g m (mean %.4g), dihedral angles %.1f to %.1f deg, slivers %d\n",
             n->min_edge, n->max_edge, n->mean_edge, n->min_dihedral_deg, n->max_dihedral_deg,
             n->slivers);
    print_histogram(w, n);
}

void fr_mesh_json(FrJson *j, const FrMeshNumbers *n) {
    fr_json_text(j, "name", n->name);
    fr_json_text(j, "method", n->method);
    fr_json_int(j, "nodes", n->nodes);
    fr_json_int(j, "tets", n->tets);
    fr_json_int(j, "order", n->order);
    fr_json_number(j, "volume", n->volume);
    fr_json_number(j, "min_dihedral_deg", n->min_dihedral_deg);
    fr_json_number(j, "max_dihedral_deg", n->max_dihedral_deg);
    fr_json_bool(j, "closed", n->closed);
    fr_json_int(j, "components", n->components);
    fr_json_int(j, "slivers", n->slivers);
    fr_json_number(j, "min_edge", n->min_edge);
    fr_json_number(j, "mean_edge", n->mean_edge);
    fr_json_number(j, "max_edge", n->max_edge);
    fr_json_number(j, "min_radius_ratio", n->min_radius_ratio);
    fr_json_vec3(j, "size", n->size);
    fr_json_array(j, "dihedral_histogram");
    for (int k = 0; k < 18; k++) fr_json_int(j, NULL, n->histogram[k]);
    fr_json_end(j);
}

/// Things of films and kitchens are between half a centimetre and a few metres, m.
#define SMALL 5e-3
#define LARGE 5.0

// unit words that make it neither small nor large, as "cm or in"; "": none
static const char *larger_words(double largest, double now, char text[24]) {
    static const struct {
        const char *word;
        double m;
    } units[] = {{"cm", 1e-2}, {"in", 0.0254}, {"m", 1.0}};
    text[0] = '\0';
    for (int k = 0; k < 3; k++) {
        double size = largest / now * units[k].m;
        if (!(size >= SMALL && size <= LARGE)) continue;
        if (text[0]) strcat(text, " or ");
        strcat(text, units[k].word);
    }
    return text;
}

// most files are in mm, those of scanners and modellers in cm
void fr_question_size(FrContext *ctx, const char *name, FrVec3 size, double unit, const char *how) {
    double largest = fr_max(size.x, fr_max(size.y, size.z)), now = unit > 0.0 ? unit : 1.0;
    double other = largest > 20.0 ? 1e-3 : largest > LARGE ? 1e-2 : now;
    bool small = largest < SMALL;
    char words[24];
    const char *meant = small ? larger_words(largest, now, words) : other == 1e-2 ? "cm" : "mm";
    if (small && !meant[0])
        fr_log(ctx, FR_LOG_WARNING,
               "%s is %.4g m x %.4g m x %.4g m: are its numbers in a unit larger than %.4g m?",
               name, size.x, size.y, size.z, now);
    else if (small || fabs(other - now) > 1e-9 * now)
        fr_log(ctx, FR_LOG_WARNING, "%s is %.4g m x %.4g m x %.4g m: did you mean %s %s?", name,
               size.x, size.y, size.z, how, meant);
}

void fr_question_lengths(FrContext *ctx, const char *name, FrVec3 size) {
    if (fr_max(size.x, fr_max(size.y, size.z)) > LARGE)
        fr_log(ctx, FR_LOG_WARNING,
               "%s is %.4g m x %.4g m x %.4g m: lengths without a unit are metres; is *cm or *mm "
               "missing?",
               name, size.x, size.y, size.z);
}
