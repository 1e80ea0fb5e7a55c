// schema_shape.c: the rows of the schema for shapes and regions.

#include "scene/schema.h"

#define TINY 1e-6 ///< smallest length a shape may have, m
#define HUGE_M 1e4

static const char *const ups[] = {"z", "y", NULL};

static const FrField box_fields[] = {
    FR_VEC3_(FrSceneBox, size, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Edge lengths along x, y, z."),
    FR_NUMBER_(FrSceneBox, round, FR_DIM_LENGTH, "0", 0, HUGE_M, "Radius of the edges."),
};
static const FrRecord box_record = {"box",
                                    "A box, centred.",
                                    sizeof(FrSceneBox),
                                    FR_FIELDS(box_fields),
                                    .main = "size",
                                    .check = fr_check_box,
                                    .example = "box { 20*cm, 10*cm, 4*cm, round = 5*mm }"};

static const FrField ball_fields[] = {
    FR_NUMBER_(FrSceneBall, radius, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Radius."),
};
static const FrRecord ball_record = {"ball",
                                     "A ball as a solid of tets; see `sphere` for a rigid one.",
                                     sizeof(FrSceneBall),
                                     FR_FIELDS(ball_fields),
                                     .main = "radius",
                                     .example = "ball(5*cm)"};

static const FrField ellipsoid_fields[] = {
    FR_VEC3_(FrSceneEllipsoid, radii, FR_DIM_LENGTH, NULL, TINY, HUGE_M,
             "Half axes along x, y, z."),
};
static const FrRecord ellipsoid_record = {"ellipsoid",
                                          "An ellipsoid.",
                                          sizeof(FrSceneEllipsoid),
                                          FR_FIELDS(ellipsoid_fields),
                                          .main = "radii",
                                          .example = "ellipsoid { 6*cm, 4*cm, 3*cm }"};

static const FrField cylinder_fields[] = {
    FR_NUMBER_(FrSceneCylinder, radius, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Radius."),
    FR_NUMBER_(FrSceneCylinder, height, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Height along z."),
    FR_NUMBER_(FrSceneCylinder, round, FR_DIM_LENGTH, "0", 0, HUGE_M, "Radius of the edges."),
};
static const FrRecord cylinder_record = {"cylinder",
                                         "A cylinder about z, centred.",
                                         sizeof(FrSceneCylinder),
                                         FR_FIELDS(cylinder_fields),
                                         .check = fr_check_cylinder,
                                         .example = "cylinder { radius = 3*cm, height = 10*cm }"};

static const FrField tube_fields[] = {
    FR_NUMBER_(FrSceneTube, radius, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Outer radius."),
    FR_NUMBER_(FrSceneTube, wall, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Wall thickness."),
    FR_NUMBER_(FrSceneTube, height, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Height along z."),
};
static const FrRecord tube_record = {"tube",
                                     "A tube about z, centred, open at both ends.",
                                     sizeof(FrSceneTube),
                                     FR_FIELDS(tube_fields),
                                     .check = fr_check_tube,
                                     .example =
                                         "tube { radius = 3*cm, wall = 4*mm, height = 40*cm }"};

static const FrField cone_fields[] = {
    FR_NUMBER_(FrSceneCone, radius, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Radius at the bottom."),
    FR_NUMBER_(FrSceneCone, top, FR_DIM_LENGTH, "0", 0, HUGE_M, "Radius at the top."),
    FR_NUMBER_(FrSceneCone, height, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Height along z."),
};
static const FrRecord cone_record = {"cone", "A cone, or a frustum, about z, centred.",
                                     sizeof(FrSceneCone), FR_FIELDS(cone_fields),
                                     .example = "cone { radius = 5*cm, height = 12*cm }"};

static const FrField torus_fields[] = {
    FR_NUMBER_(FrSceneTorus, radius, FR_DIM_LENGTH, NULL, TINY, HUGE_M,
               "Radius of the ring's middle line."),
    FR_NUMBER_(FrSceneTorus, thickness, FR_DIM_LENGTH, NULL, TINY, HUGE_M,
               "Radius of the ring's section."),
};
static const FrRecord torus_record = {"torus",
                                      "A ring about z.",
                                      sizeof(FrSceneTorus),
                                      FR_FIELDS(torus_fields),
                                      .check = fr_check_torus,
                                      .example = "torus { radius = 6*cm, thickness = 15*mm }"};

#define POINTS .item = FR_FIELD_VEC2, .dimension = FR_DIM_LENGTH, .min = -HUGE_M, .max = HUGE_M

static const FrField lathe_fields[] = {
    FR_LIST_(FrSceneLathe, profile, POINTS, NULL, 2, 10000, "Points {radius, z}, from one end."),
    FR_NUMBER_(FrSceneLathe, wall, FR_DIM_LENGTH, "0", 0, HUGE_M,
               "Wall thickness around the line; 0: a solid between line and axis."),
};
static const FrRecord lathe_record = {
    "lathe",
    "A line turned about z: bowls, cups, bells, wheels.",
    sizeof(FrSceneLathe),
    FR_FIELDS(lathe_fields),
    .main = "profile",
    .check = fr_check_lathe,
    .example = "lathe { {0, 0}, {4*cm, 0}, {9*cm, 2*cm}, {13*cm, 8*cm}, wall = 4*mm }"};

static const FrField hole_fields[] = {
    FR_LIST_(FrSceneHole, outline, POINTS, NULL, 3, 10000, "Corners {x, y}."),
};
const FrRecord fr_record_hole = {"hole",
                                 "A hole of an extrusion.",
                                 sizeof(FrSceneHole),
                                 FR_FIELDS(hole_fields),
                                 .main = "outline",
                                 .example = "{ {1*cm, 1*cm}, {2*cm, 1*cm}, {1*cm, 2*cm} }"};

#define HOLES .item = FR_FIELD_RECORD, .record = &fr_record_hole

static const FrField extrude_fields[] = {
    FR_LIST_(FrSceneExtrude, outline, POINTS, NULL, 3, 10000, "Corners {x, y}, either way round."),
    FR_LIST_(FrSceneExtrude, holes, HOLES, "[]", 0, 1000, "Outlines cut out."),
    FR_NUMBER_(FrSceneExtrude, height, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "Height along z."),
};
static const FrRecord extrude_record = {
    "extrude",
    "An outline in the xy plane, pulled along z, centred in z.",
    sizeof(FrSceneExtrude),
    FR_FIELDS(extrude_fields),
    .main = "outline",
    .check = fr_check_extrude,
    .example = "extrude { {0, 0}, {10*cm, 0}, {0, 10*cm}, height = 3*cm }"};

static const FrField text_fields[] = {
    FR_TEXT_(FrSceneText, text, NULL, "Letters A-Z a-z, digits, spaces."),
    FR_NUMBER_(FrSceneText, size, FR_DIM_LENGTH, "0.1", TINY, HUGE_M, "Height of a capital."),
    FR_NUMBER_(FrSceneText, height, FR_DIM_LENGTH, "0.03", TINY, HUGE_M, "Thickness along z."),
    FR_NUMBER_(FrSceneText, round, FR_DIM_LENGTH, "0", 0, HUGE_M,
               "Radius of the edges of the faces."),
};
static const FrRecord text_record = {"text",
                                     "Letters, lying in the xy plane, centred.",
                                     sizeof(FrSceneText),
                                     FR_FIELDS(text_fields),
                                     .main = "text",
                                     .check = fr_check_text,
                                     .example = "text { \"FRACAS\", size = 20*cm, height = 5*cm }"};

#define PARTS .item = FR_FIELD_VARIANT, .variant = &fr_variant_shape

static const FrField group_fields[] = {
    FR_LIST_(FrSceneGroup, parts, PARTS, NULL, 1, 10000, "The shapes."),
    FR_NUMBER_(FrSceneGroup, round, FR_DIM_LENGTH, "0", 0, HUGE_M,
               "Radius of the fillet where the parts meet."),
};
static const FrRecord union_record = {
    "union",
    "All parts together.",
    sizeof(FrSceneGroup),
    FR_FIELDS(group_fields),
    .main = "parts",
    .example = "union { ball(5*cm), box { 20*cm, 4*cm, 4*cm }, round = 1*cm }"};
static const FrRecord intersection_record = {
    "intersection",       "What all parts share.",
    sizeof(FrSceneGroup), FR_FIELDS(group_fields),
    .main = "parts",      .example = "intersection { ball(5*cm), box { 8*cm, 8*cm, 8*cm } }"};
static const FrRecord difference_record = {
    "difference",
    "The first part less all the others.",
    sizeof(FrSceneGroup),
    FR_FIELDS(group_fields),
    .main = "parts",
    .example = "difference { ball(5*cm), cylinder { radius = 1*cm, height = 12*cm } }"};

static const FrField shell_fields[] = {
    FR_SHAPE_(FrSceneShell, shape, "The shape to make hollow."),
    FR_NUMBER_(
        FrSceneShell, thickness, FR_DIM_LENGTH, NULL, TINY, HUGE_M,
        "Wall thickness, measured inwards; of a surface with large holes (an open bowl), half to "
        "each side."),
};
static const FrRecord shell_record = {"shell",
                                      "A shape made hollow.",
                                      sizeof(FrSceneShell),
                                      FR_FIELDS(shell_fields),
                                      .main = "shape",
                                      .example = "shell { ball(5*cm), thickness = 1*cm }"};

static const FrField move_fields[] = {
    FR_SHAPE_(FrSceneMove, shape, "The shape to move."),
    FR_VEC3_(FrSceneMove, by, FR_DIM_LENGTH, NULL, -HUGE_M, HUGE_M, "How far."),
};
static const FrRecord move_record = {"move",
                                     "A shape somewhere else.",
                                     sizeof(FrSceneMove),
                                     FR_FIELDS(move_fields),
                                     .main = "shape",
                                     .example = "move { ball(5*cm), by = {0, 0, 10*cm} }"};

static const FrField turn_fields[] = {
    FR_SHAPE_(FrSceneTurn, shape, "The shape to turn."),
    FR_VEC3_(FrSceneTurn, by, FR_DIM_ANGLE, NULL, -1e4, 1e4,
             "About x, then y, then z (fixed axes)."),
};
static const FrRecord turn_record = {"turn",
                                     "A shape turned about the origin.",
                                     sizeof(FrSceneTurn),
                                     FR_FIELDS(turn_fields),
                                     .main = "shape",
                                     .example = "turn { text \"F\", by = {90, 0, 0} }"};

static const FrField scale_fields[] = {
    FR_SHAPE_(FrSceneScale, shape, "The shape to scale."),
    FR_NUMBER_(FrSceneScale, by, FR_DIM_NONE, NULL, 1e-6, 1e6, "Factor, the same along all axes."),
};
static const FrRecord scale_record = {"scale",
                                      "A shape made larger or smaller about the origin.",
                                      sizeof(FrSceneScale),
                                      FR_FIELDS(scale_fields),
                                      .main = "shape",
                                      .example =
                                          "scale { surface \"../assets/bunny.obj\", by = 2 }"};

static const FrField file_fields[] = {
    {FR_AT(FrSceneFile, file), .type = FR_FIELD_FILE, .doc = "Path, relative to the scene."},
    FR_NUMBER_(FrSceneFile, unit, FR_DIM_LENGTH, "1", 1e-9, 1e6,
               "Length of one unit of the file: 1*mm for a file in millimetres."),
    FR_CHOICE_(FrSceneFile, up, "\"z\"", ups, "Which axis of the file points up."),
};
static const FrRecord surface_record = {
    "surface",           "A triangle surface from an OBJ, PLY or STL file; it need not be perfect.",
    sizeof(FrSceneFile), FR_FIELDS(file_fields),
    .main = "file",      .example = "surface { \"../assets/bunny.obj\", unit = 1*m, up = \"z\" }"};
static const FrRecord mesh_record = {
    "mesh",
    "A tet mesh from a Gmsh .msh or TetGen .node/.ele file, taken as it is.",
    sizeof(FrSceneFile),
    FR_FIELDS(file_fields),
    .main = "file",
    .example = "mesh \"part.msh\""};

static const FrCase shape_cases[] = {
    [FR_SCENE_BOX] = {"box", &box_record},
    [FR_SCENE_BALL] = {"ball", &ball_record},
    [FR_SCENE_ELLIPSOID] = {"ellipsoid", &ellipsoid_record},
    [FR_SCENE_CYLINDER] = {"cylinder", &cylinder_record},
    [FR_SCENE_TUBE] = {"tube", &tube_record},
    [FR_SCENE_CONE] = {"cone", &cone_record},
    [FR_SCENE_TORUS] = {"torus", &torus_record},
    [FR_SCENE_LATHE] = {"lathe", &lathe_record},
    [FR_SCENE_EXTRUDE] = {"extrude", &extrude_record},
    [FR_SCENE_TEXT] = {"text", &text_record},
    [FR_SCENE_UNION] = {"union", &union_record},
    [FR_SCENE_INTERSECTION] = {"intersection", &intersection_record},
    [FR_SCENE_DIFFERENCE] = {"difference", &difference_record},
    [FR_SCENE_SHELL] = {"shell", &shell_record},
    [FR_SCENE_MOVE] = {"move", &move_record},
    [FR_SCENE_TURN] = {"turn", &turn_record},
    [FR_SCENE_SCALE] = {"scale", &scale_record},
    [FR_SCENE_SURFACE] = {"surface", &surface_record},
    [FR_SCENE_MESH] = {"mesh", &mesh_record},
};
const FrVariant fr_variant_shape = {"shape",
                                    "A solid about the origin of its body.",
                                    sizeof(FrSceneShape),
                                    shape_cases,
                                    (int32_t)(sizeof shape_cases / sizeof shape_cases[0]),
                                    NULL,
                                    -1};

static const FrRecord all_record = {"all", "Everywhere.", 0, NULL, 0, .example = "\"all\""};

static const FrField limit_fields[] = {
    FR_NUMBER_(FrSceneLimits, x, FR_DIM_LENGTH, "null", -HUGE_M, HUGE_M, "Limit along x."),
    FR_NUMBER_(FrSceneLimits, y, FR_DIM_LENGTH, "null", -HUGE_M, HUGE_M, "Limit along y."),
    FR_NUMBER_(FrSceneLimits, z, FR_DIM_LENGTH, "null", -HUGE_M, HUGE_M, "Limit along z."),
};
static const FrRecord below_record = {"below",
                                      "Where every coordinate that is given is below its limit.",
                                      sizeof(FrSceneLimits),
                                      FR_FIELDS(limit_fields),
                                      .check = fr_check_limits,
                                      .example = "below { z = -49*cm }"};
static const FrRecord above_record = {"above",
                                      "Where every coordinate that is given is above its limit.",
                                      sizeof(FrSceneLimits),
                                      FR_FIELDS(limit_fields),
                                      .check = fr_check_limits,
                                      .example = "above { x = 10*cm, z = 0 }"};

static const FrField side_fields[] = {
    FR_VEC3_(FrSceneSide, point, FR_DIM_LENGTH, "[0, 0, 0]", -HUGE_M, HUGE_M,
             "Point of the plane."),
    FR_VEC3_(FrSceneSide, normal, FR_DIM_NONE, NULL, -HUGE_M, HUGE_M,
             "Points to the side that is meant; any length."),
};
static const FrRecord side_record = {"side",
                                     "One side of a plane.",
                                     sizeof(FrSceneSide),
                                     FR_FIELDS(side_fields),
                                     .main = "normal",
                                     .check = fr_check_side,
                                     .example = "side { {1, 0, 1}, point = {0, 0, 10*cm} }"};

static const FrField near_fields[] = {
    FR_VEC3_(FrSceneNear, at, FR_DIM_LENGTH, NULL, -HUGE_M, HUGE_M, "Centre."),
    FR_NUMBER_(FrSceneNear, radius, FR_DIM_LENGTH, NULL, TINY, HUGE_M, "How far around it."),
};
static const FrRecord near_record = {"near",
                                     "Within a distance of a point.",
                                     sizeof(FrSceneNear),
                                     FR_FIELDS(near_fields),
                                     .main = "at",
                                     .example = "near { {0, 0, 0}, radius = 2*cm }"};

static const FrField inside_fields[] = {
    FR_SHAPE_(FrSceneInside, shape, "The shape."),
    FR_NUMBER_(FrSceneInside, margin, FR_DIM_LENGTH, "0", -HUGE_M, HUGE_M, "Added around it."),
};
static const FrRecord inside_record = {
    "inside",
    "Inside a shape. A shape alone (`where = box {...}`) means the same.",
    sizeof(FrSceneInside),
    FR_FIELDS(inside_fields),
    .main = "shape",
    .example = "inside { ball(3*cm), margin = 1*mm }"};

static const FrCase region_cases[] = {
    [FR_SCENE_ALL] = {"all", &all_record},       [FR_SCENE_BELOW] = {"below", &below_record},
    [FR_SCENE_ABOVE] = {"above", &above_record}, [FR_SCENE_SIDE] = {"side", &side_record},
    [FR_SCENE_NEAR] = {"near", &near_record},    [FR_SCENE_INSIDE] = {"inside", &inside_record},
};
const FrVariant fr_variant_region = {
    "region",
    "A part of a body, in the body's own frame: as its shape is written, before `at` and `turn`.",
    sizeof(FrSceneRegion),
    region_cases,
    (int32_t)(sizeof region_cases / sizeof region_cases[0]),
    &fr_variant_shape,
    FR_SCENE_INSIDE};
