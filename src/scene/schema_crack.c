// schema_crack.c: the rows of the schema for how a body breaks: those to try first, then the groups
// of FrCrackDef.

#include "scene/schema.h"

static const FrField criterion_fields[] = {
    FR_BOOL_(FrCrackCriterion, elastic_only, "false",
             "true: damping stresses do not count, only elastic ones."),
    FR_NUMBER_(FrCrackCriterion, scan_interval, FR_DIM_TIME, "null", 0, 1,
               "Time between scans for failed nodes; 0: every step, at nodes near their limits; "
               "null: half of what a pressure wave takes along an edge of the median tet, but no "
               "less than twice the stable step. Longer: fewer pieces; which cracks come first "
               "depends on it."),
};
const FrRecord fr_record_criterion = {
    "criterion", "When nodes of a body fail.", sizeof(FrCrackCriterion),
    FR_FIELDS(criterion_fields), .example = "crack = { criterion = { scan_interval = 2*us } }"};

static const FrField remeshing_fields[] = {
    FR_NUMBER_(FrCrackRemeshing, snap_distance, FR_DIM_NONE, "null", 0, 0.49,
               "Cracks this near a node go through it, as a share of the local edge. More: "
               "straighter along the mesh, fewer small tets. null: 0.05 of brittle walls "
               "(`upright`), else 0.1."),
    FR_NUMBER_(FrCrackRemeshing, snap_angle, FR_DIM_ANGLE, "5.7", 0, 57, "Likewise by angle."),
    FR_NUMBER_(FrCrackRemeshing, snap_part, FR_DIM_NONE, "0.5", 0, 0.5,
               "Where a cut would leave tets that are too flat, it goes through a node within this "
               "part of the way that it would have to move. Less: fewer faces of the mesh show, "
               "and cracks are not as straight."),
    FR_NUMBER_(FrCrackRemeshing, together, FR_DIM_NONE, "null", 0, 1,
               "Cuts of edges this near each other, as a share of the edge, give way alike: cracks "
               "stand upright in thin walls. null: 0.4 of brittle walls, else 0."),
    FR_BOOL_(FrCrackRemeshing, move, "true",
             "Nodes that a crack goes through move onto its plane, inside and along flat sides: it "
             "leaves the faces of the mesh. false: the crack bends through them, as in the "
             "papers."),
    FR_NUMBER_(FrCrackRemeshing, straight, FR_DIM_NONE, "0.8", 0, 10,
               "How straight cracks run: weight of their own direction against that of the stress "
               "ahead of them. 0: they follow the stress alone."),
    FR_NUMBER_(FrCrackRemeshing, back_angle, FR_DIM_ANGLE, "20", 0, 85,
               "A crack does not run back along an old one by less than this."),
    FR_NUMBER_(FrCrackRemeshing, min_height, FR_DIM_NONE, "0.3", 1e-3, 1,
               "Least height of tets that cuts leave, as a share of what it was at the start."),
};
const FrRecord fr_record_remeshing = {"remeshing", "How the mesh of a body follows its cracks.",
                                      sizeof(FrCrackRemeshing), FR_FIELDS(remeshing_fields),
                                      .example = "crack = { remeshing = { min_height = 0.2 } }"};

static const FrField pieces_fields[] = {
    FR_NUMBER_(FrCrackPieces, rigid_piece, FR_DIM_NONE, "null", 0, 1e9,
               "Smaller pieces, in mean tets of the body, move as rigid ones once they are off; "
               "null: a patch of two by two cells of a brittle wall, 24 for each layer; else twice "
               "`min_piece`, below which nothing can break any more."),
    FR_NUMBER_(FrCrackPieces, dust_piece, FR_DIM_NONE, "0", 0, 1e9,
               "Pieces smaller than this, in mean tets of the body, leave as dust when they come "
               "off; 0: none do. Set `min_piece` lower, or there are no such pieces."),
    FR_NUMBER_(FrCrackPieces, dust_mass, FR_DIM_NONE, "0.01", 0, 0.01,
               "Share of the body's mass that may leave as dust; beyond it small pieces become "
               "rigid. The report counts pieces, mass and energy."),
};
const FrRecord fr_record_pieces = {"pieces", "What becomes of small pieces of a body.",
                                   sizeof(FrCrackPieces), FR_FIELDS(pieces_fields),
                                   .example =
                                       "crack = { min_piece = 0.5, pieces = { dust_piece = 2 } }"};

static const FrField cost_fields[] = {
    FR_NUMBER_(FrCrackCost, step_floor, FR_DIM_NONE, "0.4", 0, 1,
               "Steps shall not get shorter than this share of the first stable one by cracks: "
               "nodes of small tets get more mass for it, half of which is kept for that; the rest "
               "keeps steps nearer to 0.75. 0: no floor."),
    FR_NUMBER_(FrCrackCost, added_mass, FR_DIM_NONE, "0.01", 0, 0.01,
               "Share of the body's mass that may be added for the floor; a run that needs more "
               "warns."),
};
const FrRecord fr_record_cost = {"cost", "What keeps steps long while a body breaks: mass scaling.",
                                 sizeof(FrCrackCost), FR_FIELDS(cost_fields),
                                 .example = "crack = { cost = { step_floor = 0 } }"};

static const char *const styles[] = {"stress", "radial", "ring", "splinter", NULL};
static const FrField shatter_fields[] = {
    FR_NUMBER_(FrCrackShatter, eta, FR_DIM_NONE, "0.8", 0, 1,
               "Share of the elastic energy at the break that its cracks may take."),
    FR_NUMBER_(FrCrackShatter, exponent, FR_DIM_NONE, "0.15", 0, 2,
               "How much smaller pieces are where the energy is dense. 0: alike everywhere."),
    FR_CHOICE_(
        FrCrackShatter, style, "\"stress\"", styles,
        "Where cracks run: across the largest tension (stress), out from where it was struck "
        "(radial), round that place (ring), along its grain or its longest side (splinter). "
        "When it breaks, and how many pieces its energy pays for, stay as they are."),
    FR_NUMBER_(FrCrackShatter, stretch, FR_DIM_NONE, "5", 0, 20,
               "How much cracks keep to their style. 0: round cells, as in the paper."),
    FR_NUMBER_(FrCrackShatter, least, FR_DIM_LENGTH, "null", 0, 1e3,
               "Pieces smaller than a cube with this edge do not break again. null: 3.6 walls of "
               "the body that fell apart first."),
    FR_NUMBER_(FrCrackShatter, dust, FR_DIM_LENGTH, "0", 0, 1e3,
               "Pieces smaller than a cube with this edge leave as dust, with their mass and "
               "momentum: drawn and exported as particles, and silent. 0: none do."),
    FR_BOOL_(FrCrackShatter, release, "true",
             "Energy that the cracks do not take drives the pieces apart and makes them ring. "
             "false: contact alone does."),
    FR_BOOL_(
        FrCrackShatter, literal, "false",
        "true: as the paper has it, to compare. The impulse of a blow over a macro step (1/4800 "
        "s) is a force on a body at rest, and all that this would store breaks it, though it "
        "is more than the blow brought; the bounce is that of `restitution`."),
};
const FrRecord fr_record_shatter = {"shatter", "How a blow shatters a body of the model shatter.",
                                    sizeof(FrCrackShatter), FR_FIELDS(shatter_fields),
                                    .example = "crack = { shatter = { eta = 0.5 } }"};

static const FrField crack_fields[] = {
    FR_BOOL_(FrCrackDef, off, "false", "true: it never breaks, whatever its material says."),
    FR_BOOL_(FrCrackDef, along_faces, "false",
             "true: no remeshing; cracks follow the faces of the mesh."),
    FR_BOOL_(
        FrCrackDef, upright, "true",
        "Where a brittle body (it has a strength, no tau, and does not yield) is a wall of one "
        "or two tets, cracks stand upright in it: flat tets that bend do not show what pulls "
        "across them. A body that is mostly such a wall is a brittle wall: what it leaves open "
        "(null) of min_piece, settle, remeshing.snap_distance, remeshing.together and "
        "pieces.rigid_piece is chosen for that. Nodes of brittle bodies move onto cracks only "
        "where that strains them less than breaking does. false: as in the papers."),
    FR_NUMBER_(FrCrackDef, residual, FR_DIM_NONE, "null", 0, 1,
               "Share of what exceeds the strength that runs ahead with the crack; null: the "
               "material's crack_alpha. More: straighter, faster cracks."),
    FR_VEC3_(FrCrackDef, toughness, FR_DIM_NONE, "[1, 1, 1]", 1e-3, 1e3,
             "Factors on the strength along three axes; what shatters has pieces as much longer "
             "along the tougher ones, where the model is asked for. Of fem, cracks turn towards a "
             "plane across a small "
             "one, part of the way: pulled at an angle a to an axis of toughness k (others 1), the "
             "crack's normal is atan(sqrt(k) tan a) from the axis, at 1 / (cos(a)^2 / k + "
             "sin(a)^2) of the strength. 0.2 at 30 degrees: 14.5 from the axis, 15.5 from the "
             "pull, at a quarter of the strength; 0.01: 3.3 from the axis. {1, 100, 100} turns it "
             "as far as {0.01, 1, 1}, without weakening the axis."),
    FR_VEC3_(FrCrackDef, cleavage, FR_DIM_ANGLE, "[0, 0, 0]", -1e4, 1e4,
             "Turn of those axes, about x, then y, then z (fixed axes), in the body's own frame."),
    FR_NUMBER_(FrCrackDef, min_piece, FR_DIM_NONE, "null", 0, 1e9,
               "Least volume of a piece that comes off, in mean tets of the body. null: a prism "
               "through a brittle wall, 3 for each layer of tets in it; else, and with dust, 1."),
    FR_NUMBER_(
        FrCrackDef, settle, FR_DIM_TIME, "null", 0, 1e9,
        "When nothing of the body broke for this long, its loose pieces become rigid, and pieces "
        "that are supported for good stand still: rubble costs little. The time counts from the "
        "last crack that a load opened; a body that is only cut from the start bends and can "
        "break. A piece bends again, and may break, when a blow could bring it to its strength "
        "(docs/breaking.md); loose pieces of materials that yield do not. A body that cracked but "
        "is in one piece becomes rigid, or stands, likewise, and bends again as soon as anything "
        "but the ground touches it. Supported pieces of materials that yield rest instead, once "
        "they were slower than 10 mm/s (rms) for this long, and bend on when they are struck. The "
        "report counts rigid pieces. 0: never. null: about one oscillation of a brittle wall, "
        "A^2 / (4 V sqrt(E / density)) with its surface A and volume V; else never."),
    FR_RECORD_(FrCrackDef, criterion, fr_record_criterion, "When nodes fail."),
    FR_RECORD_(FrCrackDef, remeshing, fr_record_remeshing, "How the mesh follows a crack."),
    FR_RECORD_(FrCrackDef, pieces, fr_record_pieces, "What becomes of small pieces."),
    FR_RECORD_(FrCrackDef, cost, fr_record_cost, "What keeps steps long."),
    FR_RECORD_(FrCrackDef, shatter, fr_record_shatter, "How a blow shatters it (model shatter)."),
};
const FrRecord fr_record_crack = {
    "crack",
    "How a body breaks; how strong it is, its material says. The first keys are those to try "
    "first; the four groups at the end hold the rest.",
    sizeof(FrCrackDef), FR_FIELDS(crack_fields),
    .example = "crack = { residual = 0.9, toughness = {0.5, 1, 1} }"};
