// schema_body.c: the rows of the schema for bodies and spheres, what acts on them and what joins
// them.

#include "scene/schema.h"

// in the order of FrModel
static const char *const models[] = {"auto", "fem", "frame", "shatter", "modal", "corot", NULL};
static const char *const meshers[] = {"auto", "structured", "scattered", "stuffing", "cage", NULL};
static const char *const skins[] = {"auto", "none", "shape", NULL};

static const FrField fix_fields[] = {
    FR_VARIANT_(FrSceneFix, where, fr_variant_region, "\"all\"", "Which part."),
    FR_NUMBER_(FrSceneFix, release, FR_DIM_TIME, "null", 0, 3600,
               "When it is let go; null: never."),
};
const FrRecord fr_record_fix = {
    "fix",
    "A part of a body that stays where it is. In Lua: `fix { body, where = ... }`. A rigid body is "
    "held as a whole (what shatters breaks between such parts), and sounds as clamped in that "
    "part; with \"all\" it sounds as if free.",
    sizeof(FrSceneFix), FR_FIELDS(fix_fields),
    .example = "fix { pane, where = below { z = -49*cm } }"};

#define FIXES .item = FR_FIELD_RECORD, .record = &fr_record_fix

static const FrField part_fields[] = {
    FR_VARIANT_(FrScenePart, where, fr_variant_region, NULL, "Which part."),
    FR_MATERIAL_(FrScenePart, material, NULL, "What it is made of."),
    FR_VEC3_(FrScenePart, strain, FR_DIM_NONE, "[0, 0, 0]", -0.55, 0.55,
             "Plastic strain that it begins with, along the body's x, y and z: it begins under "
             "stress, and springs. The three add up to 0; together no more than the material's "
             "yield_strain and plastic_limit, or they would flow back. Of fem bodies."),
    FR_NUMBER_(FrScenePart, bond, FR_DIM_NONE, "1", 1e-3, 1,
               "Factor on the strength where it meets other parts: of tets that have a face there. "
               "Of two parts the weaker bond counts: mortar between bricks, the glue of a handle."),
};
const FrRecord fr_record_part = {"part",
                                 "A part of a body that is of another material: stiffer, heavier. "
                                 "Friction and looks are those of "
                                 "the body.",
                                 sizeof(FrScenePart), FR_FIELDS(part_fields),
                                 .example = "{ where = above { z = 0 }, material = \"oak\" }"};

#define PARTS .item = FR_FIELD_RECORD, .record = &fr_record_part

static const FrField weaken_fields[] = {
    FR_VARIANT_(FrSceneWeaken, where, fr_variant_region, "\"all\"", "Which part."),
    {FR_AT(FrSceneWeaken, by), .type = FR_FIELD_VEC2, .fallback = "[0.5, 0.5]", .min = 1e-3,
     .max = 1e3, .alike = true,
     .doc = "Factor on the strength: least and largest, or one number for both."},
    FR_NUMBER_(FrSceneWeaken, size, FR_DIM_LENGTH, "0", 0, FR_FAR,
               "Size of the patches between least and largest, by chance (the scene's seed); 0: "
               "the least everywhere."),
};
const FrRecord fr_record_weaken = {"weaken",
                                   "A part of a body that is weaker or stronger. In Lua: `weaken { "
                                   "body, where = ..., by = ... }`.",
                                   sizeof(FrSceneWeaken),
                                   FR_FIELDS(weaken_fields),
                                   .check = fr_check_weaken,
                                   .example = "weaken { pane, by = {0.7, 1.3}, size = 2*cm }"};

static const FrField cut_fields[] = {
    FR_PLACE_(FrSceneCut, at, NULL, "Its middle, in the body's own frame."),
    FR_VEC3_(FrSceneCut, normal, FR_DIM_NONE, NULL, -1e6, 1e6, "Across it; any length."),
    FR_NUMBER_(FrSceneCut, radius, FR_DIM_LENGTH, NULL, 1e-6, FR_FAR, "How far it goes."),
};
const FrRecord fr_record_cut = {
    "cut",
    "A crack that is there from the start: a disc, moved along its normal to a node near its "
    "middle. "
    "All that it covers is cut, other cuts and both walls of a tube included.",
    sizeof(FrSceneCut),
    FR_FIELDS(cut_fields),
    .check = fr_check_cut,
    .example = "cuts = { { at = {-50*cm, 0, 0}, normal = {0, 0, 1}, radius = 50*cm } }"};

/// When it comes and goes.
#define LIFE(type)                                                                                 \
    FR_NUMBER_(type, born, FR_DIM_TIME, "0", 0, 3600,                                              \
               "When it comes into the scene, at rest in its form, where and as fast as it is "    \
               "written here. Loads and joints come with it; a joint waits for both of its "       \
               "solids. Times of paths and loads count from the start of the scene all the "       \
               "same."),                                                                           \
        FR_NUMBER_(type, dies, FR_DIM_TIME, "null", 0, 3600,                                       \
                   "When it is taken out, with all its pieces, loads and joints; null: never."),   \
        FR_TEXT_(type, parent, "\"\"",                                                             \
                 "Name of the body or sphere that it comes from when it is born. Place, turn, "    \
                 "velocity and spin then count from the parent's own: with those left as they "    \
                 "are, its shape lies in the parent's, and goes on as that part of it moved. A "   \
                 "parent that dies at this time is exchanged for its children.")

#define WEAKENS .item = FR_FIELD_RECORD, .record = &fr_record_weaken
#define CUTS .item = FR_FIELD_RECORD, .record = &fr_record_cut
#define SEEDS .item = FR_FIELD_VEC3, .dimension = FR_DIM_LENGTH, .min = -FR_FAR, .max = FR_FAR

static const FrField body_fields[] = {
    FR_TEXT_(FrSceneBody, name, "\"\"", "Name; body1, body2, ... by default."),
    FR_MATERIAL_(FrSceneBody, material, NULL, "What it is made of."),
    FR_VEC3_(FrSceneBody, grain, FR_DIM_NONE, "null", -1e6, 1e6,
             "Where the grain of a wood (the x axis of an anisotropic material) points, in the "
             "body's own frame, before turn; any length. The material's axes are turned the "
             "shortest way. null: along x."),
    FR_CHOICE_(
        FrSceneBody, model, "\"auto\"", models,
        "fem bends, frame is rigid, shatter is rigid until a blow breaks it, modal is rigid and "
        "bends by its lowest modes, in a few strokes, corot bends far at any step; auto chooses."),
    {FR_AT(FrSceneBody, modes), .type = FR_FIELD_INTEGER, .fallback = "-1", .min = -1, .max = 1000,
     .doc = "Of the model modal: how many of its lowest modes it has; -1: those that can be seen "
            "in the film."},
    FR_BOOL_(FrSceneBody, turning, "false",
             "Of the model modal: its spin acts on its modes (centrifugal and Coriolis forces), "
             "and they on its inertia. For what spins fast; what is fixed in parts does not."),
    FR_BOOL_(FrSceneBody, linear, "false",
             "Of model corot: its tets do not turn. Far bends swell it: for comparison."),
    FR_NUMBER_(
        FrSceneBody, temperature, FR_DIM_NONE, "20", -273.15, 1e4,
        "Of model corot, where the material gets warm (heat_capacity): at the start, degrees C."),
    FR_VARIANT_(FrSceneBody, shape, fr_variant_shape, NULL, "Its form at rest."),
    FR_NUMBER_(FrSceneBody, cells, FR_DIM_LENGTH, "0", 0, FR_FAR,
               "Edge length of the tets; 0: chosen."),
    FR_CHOICE_(FrSceneBody, mesher, "\"auto\"", meshers,
               "How the tets are made. Structured: a box is a grid, other shapes have rules of "
               "their own. Scattered: boxes (across their shortest side) and extrusions have "
               "points here and there, no lines that cracks could follow; takes longer to break. "
               "Cage: uneven tets that contain all of the shape's surface, which stays closed "
               "where model corot tears. "
               "Stuffing: any shape. Auto: structured where there is a rule, else stuffing."),
    FR_BOOL_(FrSceneBody, graded, "false", "Larger tets inside."),
    FR_BOOL_(FrSceneBody, coarse, "false",
             "The cells that are given stay, though parts thinner than them are lost: otherwise "
             "they become smaller, with a note."),
    FR_PLACE_(FrSceneBody, at, "[0, 0, 0]", "Where the origin of the shape goes."),
    FR_VEC3_(FrSceneBody, turn, FR_DIM_ANGLE, "[0, 0, 0]", -1e4, 1e4,
             "About x, then y, then z (fixed axes), before it is moved."),
    FR_VEC3_(FrSceneBody, velocity, FR_DIM_SPEED, "[0, 0, 0]", -1e4, 1e4,
             "At the start; of a rigid body that is fixed at first, when it is let go."),
    FR_VEC3_(FrSceneBody, spin, FR_DIM_SPIN, "[0, 0, 0]", -1e7, 1e7,
             "Likewise, about the centre of mass."),
    FR_LIST_(FrSceneBody, fixed, FIXES, "[]", 0, 1000, "Parts that stay where they are."),
    FR_LIST_(FrSceneBody, parts, PARTS, "[]", 0, FR_SCENE_PARTS, "Parts of other materials."),
    FR_RECORD_(FrSceneBody, crack, fr_record_crack, "How it breaks."),
    FR_LIST_(FrSceneBody, weaken, WEAKENS, "[]", 0, 1000, "Weaker and stronger parts."),
    FR_LIST_(FrSceneBody, cuts, CUTS, "[]", 0, 1000, "Cracks that are there from the start."),
    FR_LIST_(FrSceneBody, seeds, SEEDS, "[]", 0, 1000,
             "Of what shatters: places, in the body's own frame, that get pieces of their own when "
             "it breaks, in this order, as long as its energy pays for cracks between them. Then "
             "chance chooses on."),
    FR_BOOL_(FrSceneBody, self_contact, "false",
             "Can it touch itself? A body that broke always can."),
    FR_CHOICE_(
        FrSceneBody, skin, "\"auto\"", skins,
        "What is drawn: the surface of the tets (none), the finer one of the shape, or auto."),
    FR_COLOUR_(FrSceneBody, "Linear RGB; null: of the material."),
    LIFE(FrSceneBody),
};
const FrRecord fr_record_body = {
    "body",
    "A solid that moves. Returns a handle for fix, drive, force, pressure and blast.",
    sizeof(FrSceneBody),
    FR_FIELDS(body_fields),
    .check = fr_check_body,
    .example = "local bowl = body { name = \"bowl\", material = \"glass\", at = {0, 0, 75*cm},\n"
               "  shape = ball(5*cm), cells = 8*mm }"};

static const FrField key_fields[] = {
    FR_NUMBER_(FrSceneKey, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    FR_NUMBER_(FrSceneKey, value, FR_DIM_PRESSURE, NULL, -1e12, 1e12, "How much."),
};
const FrRecord fr_record_key = {"key",
                                "A pressure at a time.",
                                sizeof(FrSceneKey),
                                FR_FIELDS(key_fields),
                                .in_order = true,
                                .example = "{ 10*ms, 3*kPa }"};

static const FrField force_key_fields[] = {
    FR_NUMBER_(FrSceneKey3, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    FR_VEC3_(FrSceneKey3, value, FR_DIM_FORCE, NULL, -1e12, 1e12, "How much."),
};
const FrRecord fr_record_force_key = {"force key",         "A force at a time.",
                                      sizeof(FrSceneKey3), FR_FIELDS(force_key_fields),
                                      .in_order = true,    .example = "{ 0.5*s, {0, 0, 20*N} }"};

static const FrField place_key_fields[] = {
    FR_NUMBER_(FrSceneKey3, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    FR_PLACE_(FrSceneKey3, value, NULL, "Where."),
};
const FrRecord fr_record_place_key = {"place key",         "A place at a time.",
                                      sizeof(FrSceneKey3), FR_FIELDS(place_key_fields),
                                      .in_order = true,    .example = "{ 0.5*s, {0, 0, 20*cm} }"};

static const FrField pose_fields[] = {
    FR_NUMBER_(FrScenePose, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    FR_PLACE_(FrScenePose, move, "[0, 0, 0]", "How far from where it was at the start."),
    FR_VEC3_(FrScenePose, turn, FR_DIM_ANGLE, "[0, 0, 0]", -1e6, 1e6,
             "About x, then y, then z (fixed axes), around `about`."),
};
const FrRecord fr_record_pose = {"pose",
                                 "A movement at a time.",
                                 sizeof(FrScenePose),
                                 FR_FIELDS(pose_fields),
                                 .in_order = true,
                                 .example = "{ 1*s, {0, 0, 5*cm}, {0, 0, 90} }"};

static const FrField sphere_fields[] = {
    FR_TEXT_(FrSceneSphere, name, "\"\"", "Name; sphere1, sphere2, ... by default."),
    FR_NUMBER_(FrSceneSphere, radius, FR_DIM_LENGTH, NULL, 1e-6, FR_FAR, "Radius."),
    FR_NUMBER_(FrSceneSphere, mass, FR_DIM_MASS, "0", 0, 1e12,
               "Mass; 0: from the material. Without a path."),
    FR_MATERIAL_(FrSceneSphere, material, "\"steel\"", "Friction, bounce, looks, and density."),
    FR_PLACE_(FrSceneSphere, at, "[0, 0, 0]", "Where its centre is at the start."),
    FR_VEC3_(FrSceneSphere, velocity, FR_DIM_SPEED, "[0, 0, 0]", -1e5, 1e5,
             "At the start; without a path."),
    FR_VEC3_(FrSceneSphere, spin, FR_DIM_SPIN, "[0, 0, 0]", -1e7, 1e7,
             "At the start; not of a kinematic one, which does not turn."),
    FR_BOOL_(FrSceneSphere, kinematic, "false", "Moves on, whatever it hits, and does not turn."),
    FR_KEYS_(FrSceneSphere, path, fr_record_place_key, "[]",
             "Where its centre is when; makes it kinematic."),
    FR_COLOUR_(FrSceneSphere, "Linear RGB; null: of the material."),
    LIFE(FrSceneSphere),
};
const FrRecord fr_record_sphere = {"sphere",
                                   "A rigid ball: falls and rolls, or moves as given.",
                                   sizeof(FrSceneSphere),
                                   FR_FIELDS(sphere_fields),
                                   .main = "radius",
                                   .check = fr_check_sphere,
                                   .check_keys = fr_check_sphere_keys,
                                   .example =
                                       "sphere { 4*cm, at = {0, 0, 1*m}, material = \"steel\" }"};

#define WHERE(T) FR_VARIANT_(T, where, fr_variant_region, "\"all\"", "Which part of the body.")

static const FrField force_fields[] = {
    FR_BODY_(FrSceneForce, body, NULL, "On which body."),
    WHERE(FrSceneForce),
    FR_KEYS_(FrSceneForce, value, fr_record_force_key, NULL,
             "Force in world axes, constant or keyframed; shared by mass over the part."),
};
const FrRecord fr_record_force = {
    "force",
    "A force on a part of a body.",
    sizeof(FrSceneForce),
    FR_FIELDS(force_fields),
    .main = "body",
    .example = "force { beam, where = above { x = 49*cm }, value = {0, 0, -20*N} }"};

static const FrField pressure_fields[] = {
    FR_BODY_(FrScenePressure, body, NULL, "On which body."),
    WHERE(FrScenePressure),
    FR_KEYS_(FrScenePressure, value, fr_record_key, NULL,
             "Pressure against the outward normal, constant or keyframed."),
};
const FrRecord fr_record_pressure = {
    "pressure",
    "A pressure on the outside of a body.",
    sizeof(FrScenePressure),
    FR_FIELDS(pressure_fields),
    .main = "body",
    .example = "pressure { pane, where = below { y = 0 }, value = { {0, 0}, {5*ms, 20*kPa} } }"};

static const FrField power_key_fields[] = {
    FR_NUMBER_(FrSceneKey, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    FR_NUMBER_(FrSceneKey, value, FR_DIM_NONE, NULL, -1e12, 1e12, "How much, W."),
};
const FrRecord fr_record_power_key = {"power key",        "A power at a time.",
                                      sizeof(FrSceneKey), FR_FIELDS(power_key_fields),
                                      .in_order = true,   .example = "{ 2*s, 500 }"};

static const FrField heat_fields[] = {
    FR_BODY_(FrSceneHeat, body, NULL,
             "Which body: of model corot, of a material with heat_capacity."),
    WHERE(FrSceneHeat),
    FR_KEYS_(FrSceneHeat, power, fr_record_power_key, NULL,
             "W in all, constant or keyframed; shared by mass over the part. Below 0 it cools."),
};
const FrRecord fr_record_heat = {
    "heat",
    "Heat into a part of a body.",
    sizeof(FrSceneHeat),
    FR_FIELDS(heat_fields),
    .main = "body",
    .example = "heat { bar, where = above { z = 1*cm }, power = { {0, 200}, {2*s, 0} } }"};

static const FrField blast_fields[] = {
    FR_BODY_(FrSceneBlast, body, "null", "On which body; null: all that bend."),
    FR_PLACE_(FrSceneBlast, origin, NULL, "Where it starts."),
    FR_NUMBER_(FrSceneBlast, start, FR_DIM_TIME, "0", 0, 3600, "When it starts."),
    FR_NUMBER_(FrSceneBlast, peak, FR_DIM_PRESSURE, NULL, 0, 1e12, "Overpressure of the front."),
    FR_NUMBER_(FrSceneBlast, speed, FR_DIM_SPEED, "343", 1, 1e5, "Speed of the front."),
    FR_NUMBER_(FrSceneBlast, decay, FR_DIM_TIME, "0.005", 1e-9, 3600,
               "Time in which the pressure behind the front falls to 1/e."),
    FR_NUMBER_(FrSceneBlast, reference, FR_DIM_LENGTH, "0", 0, FR_FAR,
               "Distance at which the peak holds, falling as 1/r; 0: the same everywhere."),
};
const FrRecord fr_record_blast = {
    "blast",
    "A pressure wave from a point, on surfaces that face it.",
    sizeof(FrSceneBlast),
    FR_FIELDS(blast_fields),
    .main = "body",
    .example = "blast { origin = {0, -2*m, 1*m}, peak = 3*atm, decay = 4*ms }"};

static const FrField drive_fields[] = {
    FR_BODY_(FrSceneDrive, body, NULL, "Which body."),
    WHERE(FrSceneDrive),
    FR_KEYS_(FrSceneDrive, path, fr_record_pose, "[]", "Movement, keyframed."),
    FR_VEC3_(FrSceneDrive, velocity, FR_DIM_SPEED, "[0, 0, 0]", -1e5, 1e5,
             "Constant; without a path."),
    FR_VEC3_(FrSceneDrive, spin, FR_DIM_SPIN, "[0, 0, 0]", -1e7, 1e7, "Constant; without a path."),
    FR_PLACE_(FrSceneDrive, about, "[0, 0, 0]", "Point the turning goes about, in the world."),
    FR_NUMBER_(FrSceneDrive, release, FR_DIM_TIME, "null", 0, 3600,
               "When it is let go; null: never."),
};
const FrRecord fr_record_drive = {
    "drive",
    "A part of a body that moves as given. Several drives of one body take parts that do not "
    "overlap.",
    sizeof(FrSceneDrive),
    FR_FIELDS(drive_fields),
    .main = "body",
    .check = fr_check_drive,
    .example =
        "drive { bar, where = above { x = 0 }, path = { {0, {0,0,0}}, {1*s, {5*cm, 0, 0}} } }"};

static const FrField pin_fields[] = {
    FR_SOLID_(FrScenePin, body, NULL, "What is held: a rigid body or a sphere."),
    FR_SOLID_(FrScenePin, to, "null", "What holds it; null: the world."),
    FR_PLACE_(FrScenePin, at, NULL, "Where, in the world, at the start."),
    FR_NUMBER_(
        FrScenePin, grip, FR_DIM_LENGTH, "0", 0, FR_FAR,
        "What of the body is nearer than this cannot vibrate: it sounds as held there; 0: as "
        "if free."),
};
const FrRecord fr_record_pin = {
    "pin",
    "A ball joint: a point of one rigid body stays at a point of another. The two do not touch.",
    sizeof(FrScenePin),
    FR_FIELDS(pin_fields),
    .main = "body",
    .example = "pin { beam, at = {0, 0, 1*m} }"};

static const FrField hinge_fields[] = {
    FR_SOLID_(FrSceneHinge, body, NULL, "What is held: a rigid body or a sphere."),
    FR_SOLID_(FrSceneHinge, to, "null", "What holds it; null: the world."),
    FR_PLACE_(FrSceneHinge, at, NULL, "A point of the axis, in the world, at the start."),
    FR_VEC3_(FrSceneHinge, axis, FR_DIM_NONE, NULL, -1e6, 1e6, "Along the axis."),
    FR_NUMBER_(FrSceneHinge, grip, FR_DIM_LENGTH, "0", 0, FR_FAR,
               "What of the body is nearer to the axis than this cannot vibrate: it sounds as held "
               "there; 0: as if free."),
};
const FrRecord fr_record_hinge = {
    "hinge",
    "Rigid bodies that turn against each other about one axis. The two do not touch.",
    sizeof(FrSceneHinge),
    FR_FIELDS(hinge_fields),
    .main = "body",
    .check = fr_check_hinge,
    .example = "hinge { pane, at = {0, 0, 0}, axis = {0, 0, 1} }"};

static const FrField cord_fields[] = {
    FR_SOLID_(FrSceneCord, body, NULL, "What hangs on it: a rigid body or a sphere."),
    FR_SOLID_(FrSceneCord, to, "null", "What its other end is tied to; null: the world."),
    FR_PLACE_(FrSceneCord, from, NULL, "Its end on the body, in the world, at the start."),
    FR_PLACE_(FrSceneCord, till, NULL, "Its other end, in the world, at the start."),
    FR_NUMBER_(FrSceneCord, length, FR_DIM_LENGTH, "0", 0, FR_FAR,
               "Its length; 0: the distance of its ends at the start."),
};
const FrRecord fr_record_cord = {
    "cord",
    "A string: it pulls when taut and hangs loose otherwise. What hangs rings as if free.",
    sizeof(FrSceneCord),
    FR_FIELDS(cord_fields),
    .main = "body",
    .example = "cord { bar, from = {0, 0, 1*m}, till = {0, 0, 1.2*m} }"};

#define RELEASE(T)                                                                                 \
    FR_NUMBER_(T, release, FR_DIM_TIME, "null", 0, 3600, "When it is let go; null: never.")

static const FrField nail_fields[] = {
    FR_SOLID_(FrSceneNail, body, NULL, "What is nailed: any body or sphere."),
    FR_PLACE_(FrSceneNail, at, NULL, "Which point of it, by where that is in the world at first."),
    RELEASE(FrSceneNail),
};
const FrRecord fr_record_nail = {
    "nail",
    "A point of a body stays where it is in the world. Of a rigid body, and of one that bends by "
    "modes, exactly, among all that touches it; of one that deforms by nodes as well as its steps "
    "can follow.",
    sizeof(FrSceneNail),
    FR_FIELDS(nail_fields),
    .main = "body",
    .example = "nail { beam, at = {0, 0, 1*m}, release = 2*s }"};

static const FrField spot_fields[] = {
    FR_PLACE_(FrSceneSpot, at, NULL, "Where, in the world, at the start."),
};
const FrRecord fr_record_spot = {"spot",
                                 "A place at which forces act.",
                                 sizeof(FrSceneSpot),
                                 FR_FIELDS(spot_fields),
                                 .in_order = true,
                                 .example = "{ at = {0, 0, 10*cm} }"};

#define SPOTS .item = FR_FIELD_RECORD, .record = &fr_record_spot

static const FrField drag_fields[] = {
    FR_SOLID_(FrSceneDrag, body, NULL, "What is dragged: any body or sphere."),
    FR_PLACE_(FrSceneDrag, at, NULL, "Which point of it, by where that is in the world at first."),
    FR_KEYS_(FrSceneDrag, path, fr_record_place_key, "[]", "Where the point is when, keyframed."),
    FR_VEC3_(FrSceneDrag, velocity, FR_DIM_SPEED, "null", -1e5, 1e5,
             "Instead of a path, of bodies with a rigid frame: the point moves with it."),
    FR_VEC3_(FrSceneDrag, acceleration, FR_DIM_ACCELERATION, "null", -1e7, 1e7,
             "Likewise: it is accelerated by it."),
    FR_LIST_(FrSceneDrag, by, SPOTS, "[]", 0, 4,
             "Of bodies with a rigid frame: places where the forces act that make the point do so; "
             "at the point itself if there are none."),
    RELEASE(FrSceneDrag),
};
const FrRecord fr_record_drag = {
    "drag",
    "A point of a body goes where it is told, by whatever force it takes. Exact as a nail is.",
    sizeof(FrSceneDrag),
    FR_FIELDS(drag_fields),
    .main = "body",
    .check = fr_check_drag,
    .example = "drag { beam, at = {0, 0, 1*m}, path = { {0, {0, 0, 1*m}}, {1*s, {0, 0, 1.2*m}} } "
               "}"};

static const FrField grab_fields[] = {
    FR_SOLID_(FrSceneGrab, body, NULL, "What is grabbed: any body or sphere."),
    FR_PLACE_(FrSceneGrab, at, NULL, "Which point of it, by where that is in the world at first."),
    FR_KEYS_(FrSceneGrab, path, fr_record_place_key, "[]",
             "Where the other end of the spring is when, keyframed; where the point is at first if "
             "there is none."),
    FR_NUMBER_(FrSceneGrab, stiffness, FR_DIM_STIFFNESS, "100", 0, 1e12, "Of the spring."),
    FR_NUMBER_(FrSceneGrab, damping, FR_DIM_DRAG, "10", 0, 1e12,
               "Against the velocity of the point."),
    FR_NUMBER_(FrSceneGrab, most, FR_DIM_FORCE, "null", 0, 1e12,
               "It never pulls harder; null: as hard as it takes."),
    RELEASE(FrSceneGrab),
};
const FrRecord fr_record_grab = {
    "grab",
    "A damped spring pulls a point of a body to a place.",
    sizeof(FrSceneGrab),
    FR_FIELDS(grab_fields),
    .main = "body",
    .example = "grab { beam, at = {0, 0, 1*m}, path = { {1*s, {0, 0, 1.5*m}} }, most = 20*N }"};

static const FrCase joint_cases[] = {
    [FR_SCENE_PIN] = {"pin", &fr_record_pin},    [FR_SCENE_HINGE] = {"hinge", &fr_record_hinge},
    [FR_SCENE_CORD] = {"cord", &fr_record_cord}, [FR_SCENE_NAIL] = {"nail", &fr_record_nail},
    [FR_SCENE_DRAG] = {"drag", &fr_record_drag}, [FR_SCENE_GRAB] = {"grab", &fr_record_grab},
};
const FrVariant fr_variant_joint = {
    "joint",     "What holds bodies, together or in the world.",        sizeof(FrSceneJoint),
    joint_cases, (int32_t)(sizeof joint_cases / sizeof joint_cases[0]), NULL,
    -1};

static const FrCase load_cases[] = {
    [FR_SCENE_FORCE] = {"force", &fr_record_force},
    [FR_SCENE_PRESSURE] = {"pressure", &fr_record_pressure},
    [FR_SCENE_BLAST] = {"blast", &fr_record_blast},
    [FR_SCENE_DRIVE] = {"drive", &fr_record_drive},
    [FR_SCENE_HEAT] = {"heat", &fr_record_heat},
};
const FrVariant fr_variant_load = {"load",
                                   "What acts on bodies.",
                                   sizeof(FrSceneLoad),
                                   load_cases,
                                   (int32_t)(sizeof load_cases / sizeof load_cases[0]),
                                   NULL,
                                   -1};
