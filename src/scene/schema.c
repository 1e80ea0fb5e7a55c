// schema.c: the one table of what a scene can say, but for shapes and regions.

#include "scene/schema.h"
#include <string.h>

#define FAR 1e4 ///< m
#define COLOUR(T, d) FR_VEC3_(T, colour, FR_DIM_NONE, "null", 0, 1, d)
#define PLACE(T, f, def, d) FR_VEC3_(T, f, FR_DIM_LENGTH, def, -FAR, FAR, d)

static const char *const models[] = {"auto", "fem", "frame", NULL};
static const char *const meshers[] = {"auto", "structured", "stuffing", NULL};
static const char *const skins[] = {"auto", "none", "shape", NULL};
static const char *const methods[] = {"symplectic", "euler", "taylor", NULL};
static const char *const criteria[] = {"overlap", "node", NULL};
static const char *const slow_times[] = {"first-impact", "first-crack", "time", NULL};
static const char *const airs[] = {"small", "flat", NULL};
static const char *const looks[] = {"surface", "stress", "tets", "separation", NULL};

static const FrField step_fields[] = {
    FR_NUMBER_(FrSceneStep, dt, FR_DIM_TIME, "0", 0, 1, "Fixed step; 0: from the stability bound."),
    FR_NUMBER_(FrSceneStep, safety, FR_DIM_NONE, "0.9", 0.01, 1,
               "Largest part of the stable step that is used."),
    FR_CHOICE_(FrSceneStep, method, "\"symplectic\"", methods,
               "Integrator; euler and taylor are the papers' forms, for paper scenes."),
    FR_BOOL_(FrSceneStep, adaptive, "true", "Watch the energy; go back and halve the step."),
    FR_NUMBER_(FrSceneStep, tolerance, FR_DIM_NONE, "0.0001", 1e-12, 1,
               "Relative gain of energy per step that the watch lets pass."),
    FR_NUMBER_(
        FrSceneStep, damping_limit, FR_DIM_NONE, "1", 0, 1e9,
        "Largest loss factor that strain-rate damping may have at the finest tets. Above it "
        "the body's alpha1, phi and psi are lowered, and a note says so: explicit steps would "
        "get too short. 1e9: never."),
    {FR_AT(FrSceneStep, rigid_steps), .type = FR_FIELD_INTEGER, .fallback = "4", .min = 1,
     .max = 1000, .doc = "Steps of rigid frames within a macro step of 1/240 s or less."},
    FR_NUMBER_(FrSceneStep, sleep, FR_DIM_TIME, "0.5", 0, 3600,
               "Rigid frames, and bodies of which only rigid pieces are left, that hardly moved "
               "for so long rest until something comes; 0: never."),
};
static const FrRecord step_record = {"step", "How time is stepped.", sizeof(FrSceneStep),
                                     FR_FIELDS(step_fields), .example = "step = { safety = 0.5 }"};

static const FrField contact_fields[] = {
    FR_NUMBER_(FrSceneContact, stiffness, FR_DIM_NONE, "1", 1e-3, 1e3, "Factor on the penalty."),
    FR_NUMBER_(FrSceneContact, damping, FR_DIM_NONE, "1", 0, 1e3, "Factor on its damping."),
    FR_CHOICE_(FrSceneContact, criterion, "\"overlap\"", criteria,
               "Volumes of overlap, or nodes inside tets."),
    FR_BOOL_(FrSceneContact, conservative, "false", "Push along the gradient of the volume."),
    FR_NUMBER_(FrSceneContact, stick_speed, FR_DIM_SPEED, "0.001", 1e-9, 1,
               "Sliding slower than this is held by static friction."),
};
static const FrRecord contact_record = {"contact", "How touching things push each other.",
                                        sizeof(FrSceneContact), FR_FIELDS(contact_fields),
                                        .example = "contact = { stiffness = 2 }"};

static const FrField settings_fields[] = {
    FR_TEXT_(FrSceneSettings, name, "\"\"", "Name; by default that of the file."),
    FR_NUMBER_(FrSceneSettings, duration, FR_DIM_TIME, "2", 1e-6, 3600,
               "How long it goes; it ends at the first macro step at or after it."),
    FR_NUMBER_(FrSceneSettings, fps, FR_DIM_RATE, "30", 1, 1e5, "Recorded frames per second."),
    {FR_AT(FrSceneSettings, seed), .type = FR_FIELD_INTEGER, .fallback = "1", .min = 0,
     .max = 9007199254740992.0, .doc = "Seed of everything random. Give it before math.random."},
    FR_VEC3_(FrSceneSettings, gravity, FR_DIM_ACCELERATION, "[0, 0, -9.81]", -1e4, 1e4, "Gravity."),
    FR_NUMBER_(FrSceneSettings, detail, FR_DIM_NONE, "1", 0.05, 20,
               "2: cells half as large everywhere."),
    FR_RECORD_(FrSceneSettings, step, step_record, "How time is stepped."),
    FR_RECORD_(FrSceneSettings, contact, contact_record, "How touching things push each other."),
};
static const FrRecord settings_record = {"scene", "What holds for the whole scene.",
                                         sizeof(FrSceneSettings), FR_FIELDS(settings_fields),
                                         .example = "scene { duration = 1.5*s, seed = 7 }"};

#define CHOICES .item = FR_FIELD_SCALAR

static const FrField param_fields[] = {
    FR_TEXT_(FrSceneParam, name, NULL, "Name, as in --set name=value."),
    {FR_AT(FrSceneParam, value), .type = FR_FIELD_SCALAR,
     .doc = "Its value: a number, a number with a unit, a word, true or false."},
    FR_TEXT_(FrSceneParam, unit, "\"\"",
             "A unit of its dimension, like \"m/s\": `--set` must give that dimension. By default "
             "that of the value: `2*m/s` in Lua, \"2 m/s\" in JSON; \"\": a plain number; "
             "\"any\": a plain number or one with a compound unit, whichever (a zero made of "
             "several unit words has it, since nothing tells its dimension)."),
    {FR_AT(FrSceneParam, min), .type = FR_FIELD_SCALAR, .fallback = "null", .doc = "Least value."},
    {FR_AT(FrSceneParam, max), .type = FR_FIELD_SCALAR, .fallback = "null",
     .doc = "Largest value."},
    FR_LIST_(FrSceneParam, choices, CHOICES, "[]", 0, 1000, "The values it may have."),
    FR_TEXT_(FrSceneParam, help, "\"\"", "What it is, for people."),
};
const FrRecord fr_record_param = {
    "param",
    "A knob of the scene, changed with `--set name=value`; a number given without a unit is in SI "
    "(angles in degrees). In JSON, `{\"param\": name}` "
    "stands for its value wherever a value can stand.",
    sizeof(FrSceneParam),
    FR_FIELDS(param_fields),
    .check = fr_check_param,
    .example = "local fall = param(\"fall\", 75*cm, {min = 10*cm, max = 2*m, help = \"height\"})"};

#define STIFFNESS .item = FR_FIELD_NUMBER, .dimension = FR_DIM_PRESSURE, .min = -1e13, .max = 1e13
#define M(f, dim, lo, hi, d) FR_NUMBER_(FrSceneMaterial, f, dim, "null", lo, hi, d)

static const FrField material_fields[] = {
    FR_TEXT_(FrSceneMaterial, name, NULL, "Name, not one of the library's."),
    {FR_AT(FrSceneMaterial, base), .type = FR_FIELD_MATERIAL, .fallback = "\"\"",
     .doc = "Material that gives all values not given here; \"\": none."},
    M(density, FR_DIM_DENSITY, 0.01, 1e5, "Density."),
    M(young, FR_DIM_PRESSURE, 1, 1e13, "Young's modulus; with poisson, or that of the base."),
    M(poisson, FR_DIM_NONE, -0.99, 0.4999, "Poisson's ratio; with young."),
    M(lambda, FR_DIM_PRESSURE, -1e13, 1e13, "First Lame constant; with mu."),
    M(mu, FR_DIM_PRESSURE, 0.1, 1e13, "Shear modulus; with lambda."),
    FR_LIST_(FrSceneMaterial, stiffness, STIFFNESS, "[]", 0, 36,
             "36 numbers, rows of the 6x6 matrix: xx yy zz yz zx xy, engineering shears."),
    M(alpha1, FR_DIM_TIME, 0, 100, "Stiffness damping."),
    M(alpha2, FR_DIM_RATE, 0, 1e6, "Mass damping."),
    M(phi, FR_DIM_VISCOSITY, 0, 1e12, "Strain-rate damping; alpha1*lambda unless given."),
    M(psi, FR_DIM_VISCOSITY, 0, 1e12, "Strain-rate damping; alpha1*mu unless given."),
    M(eta, FR_DIM_NONE, 0, 1, "Loss factor for sound."),
    M(friction_static, FR_DIM_NONE, 0, 10, "Coulomb friction at rest."),
    M(friction_dynamic, FR_DIM_NONE, 0, 10, "Coulomb friction when sliding."),
    M(restitution, FR_DIM_NONE, 0, 1,
      "How much of the speed a bounce keeps: of rigid bodies, and of the contact of soft ones; "
      "a stiff one that bends springs back by itself (contact.damping deadens it)."),
    M(strength, FR_DIM_PRESSURE, 0, 1e12, "Breaking stress; 0: does not break."),
    M(Gc, FR_DIM_TOUGHNESS, 0, 1e9,
      "Breaking energy: cracks run on where it is met; 0: at the strength alone."),
    M(tau, FR_DIM_FORCE, 0, 1e12, "Raw separation threshold, for paper scenes."),
    M(yield_strain, FR_DIM_NONE, 0, 10, "Elastic limit of the strain deviator; 0: does not yield."),
    M(plastic_limit, FR_DIM_NONE, 0, 0.55,
      "Largest plastic strain; 0.55 where only yield_strain is given."),
    M(crack_alpha, FR_DIM_NONE, 0, 1, "Residual propagation factor."),
    COLOUR(FrSceneMaterial, "Linear RGB."),
    M(roughness, FR_DIM_NONE, 0, 1, "For pictures."),
    M(metallic, FR_DIM_NONE, 0, 1, "For pictures."),
    M(opacity, FR_DIM_NONE, 0, 1, "For pictures."),
    FR_VEC3_(FrSceneMaterial, inside, FR_DIM_NONE, "null", 0, 1,
             "Linear RGB of broken faces; null: a lighter tone of the colour."),
};
static const FrRecord material_record = {
    "material",
    "A material of the scene's own: one of the library, changed, or a new one. In Lua it "
    "can be used at once as a body's material.",
    sizeof(FrSceneMaterial),
    FR_FIELDS(material_fields),
    .main = "name",
    .check = fr_check_material,
    .example =
        "local soft = material { \"soft\", base = \"rubber\", young = 0.2*MPa, poisson = 0.45 }"};

static const FrField ground_fields[] = {
    FR_NUMBER_(FrSceneGround, height, FR_DIM_LENGTH, "0", -FAR, FAR, "Height along the normal."),
    FR_VEC3_(FrSceneGround, normal, FR_DIM_NONE, "[0, 0, 1]", -1e6, 1e6, "Up; any length."),
    FR_MATERIAL_(FrSceneGround, material, "\"concrete\"", "What it is made of."),
    COLOUR(FrSceneGround, "Linear RGB; null: of the material."),
};
static const FrRecord ground_record = {"ground",
                                       "An endless plane.",
                                       sizeof(FrSceneGround),
                                       FR_FIELDS(ground_fields),
                                       .check = fr_check_ground,
                                       .example = "ground { material = \"concrete\" }"};

static const FrField fix_fields[] = {
    FR_VARIANT_(FrSceneFix, where, fr_variant_region, "\"all\"", "Which part."),
    FR_NUMBER_(FrSceneFix, release, FR_DIM_TIME, "null", 0, 3600,
               "When it is let go; null: never."),
};
const FrRecord fr_record_fix = {
    "fix",
    "A part of a body that stays where it is. In Lua: `fix { body, where = ... }`. A rigid body is "
    "held as a whole, and sounds as clamped in that part; with \"all\" it sounds as if free.",
    sizeof(FrSceneFix), FR_FIELDS(fix_fields),
    .example = "fix { pane, where = below { z = -49*cm } }"};

#define FIXES .item = FR_FIELD_RECORD, .record = &fr_record_fix

static const FrField weaken_fields[] = {
    FR_VARIANT_(FrSceneWeaken, where, fr_variant_region, "\"all\"", "Which part."),
    {FR_AT(FrSceneWeaken, by), .type = FR_FIELD_VEC2, .fallback = "[0.5, 0.5]", .min = 1e-3,
     .max = 1e3, .alike = true,
     .doc = "Factor on the strength: least and largest, or one number for both."},
    FR_NUMBER_(FrSceneWeaken, size, FR_DIM_LENGTH, "0", 0, FAR,
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
    PLACE(FrSceneCut, at, NULL, "Its middle, in the body's own frame."),
    FR_VEC3_(FrSceneCut, normal, FR_DIM_NONE, NULL, -1e6, 1e6, "Across it; any length."),
    FR_NUMBER_(FrSceneCut, radius, FR_DIM_LENGTH, NULL, 1e-6, FAR, "How far it goes."),
};
static const FrRecord cut_record = {
    "cut",
    "A crack that is there from the start: a disc, moved along its normal to a node near its "
    "middle. "
    "All that it covers is cut, other cuts and both walls of a tube included.",
    sizeof(FrSceneCut),
    FR_FIELDS(cut_fields),
    .check = fr_check_cut,
    .example = "cuts = { { at = {-50*cm, 0, 0}, normal = {0, 0, 1}, radius = 50*cm } }"};

static const FrField crack_fields[] = {
    FR_BOOL_(FrSceneCrack, breaks, "true", "false: it never breaks, whatever its material says."),
    FR_BOOL_(FrSceneCrack, remesh, "true", "false: cracks follow the faces of the mesh."),
    FR_BOOL_(FrSceneCrack, viscous, "true", "Do damping stresses count?"),
    FR_NUMBER_(FrSceneCrack, snap, FR_DIM_NONE, "0.1", 0, 0.49,
               "Cracks this near a node go through it, as a share of the local edge. More: "
               "straighter along the mesh, fewer small tets."),
    FR_NUMBER_(FrSceneCrack, snap_angle, FR_DIM_ANGLE, "5.7", 0, 57, "Likewise by angle."),
    FR_NUMBER_(
        FrSceneCrack, snap_part, FR_DIM_NONE, "0.5", 0, 0.5,
        "Where a cut would leave tets that are too flat, it goes through a node within this "
        "part of the way that it would have to move. Less: fewer faces of the mesh show, and "
        "cracks are not as straight."),
    FR_NUMBER_(FrSceneCrack, together, FR_DIM_NONE, "0", 0, 1,
               "Cuts of edges this near each other, as a share of the edge, give way alike: cracks "
               "stand upright in thin walls."),
    FR_BOOL_(
        FrSceneCrack, move, "true",
        "Nodes that a crack goes through move onto its plane, inside and along flat sides: it "
        "leaves the faces of the mesh. false: the crack bends through them, as in the papers."),
    FR_NUMBER_(FrSceneCrack, straight, FR_DIM_NONE, "0.8", 0, 10,
               "How straight cracks run: weight of their own direction against that of the stress "
               "ahead of them. 0: they follow the stress alone."),
    FR_NUMBER_(FrSceneCrack, back_angle, FR_DIM_ANGLE, "20", 0, 85,
               "A crack does not run back along an old one by less than this."),
    FR_NUMBER_(FrSceneCrack, min_height, FR_DIM_NONE, "0.3", 1e-3, 1,
               "Least height of tets that cuts leave, as a share of what it was at the start."),
    FR_NUMBER_(FrSceneCrack, min_piece, FR_DIM_NONE, "1", 0, 1e9,
               "Least volume of a piece that comes off, in mean tets of the body."),
    FR_NUMBER_(FrSceneCrack, rigid, FR_DIM_NONE, "null", 0, 1e9,
               "Smaller pieces, in mean tets of the body, move as rigid ones once they are off; "
               "null: twice min_piece, below which nothing can break any more."),
    FR_NUMBER_(FrSceneCrack, dust, FR_DIM_NONE, "0", 0, 1e9,
               "Pieces smaller than this, in mean tets of the body, leave as dust when they come "
               "off; 0: none do. Set min_piece lower, or there are no such pieces."),
    FR_NUMBER_(FrSceneCrack, dust_mass, FR_DIM_NONE, "0.01", 0, 0.01,
               "Share of the body's mass that may leave as dust; beyond it small pieces become "
               "rigid. The report counts pieces, mass and energy."),
    FR_NUMBER_(FrSceneCrack, calm, FR_DIM_TIME, "0", 0, 1e9,
               "When nothing of the body broke for this long its loose pieces move as rigid ones "
               "from then on, those that are held for good stand still, and none breaks any more: "
               "what lies about costs little. It counts from the last crack that a load opened: a "
               "body that is only cut from the start bends and can break. The report counts them. "
               "0: never."),
    FR_NUMBER_(FrSceneCrack, step_floor, FR_DIM_NONE, "0.4", 0, 1,
               "Steps shall not get shorter than this share of the first stable one by cracks: "
               "nodes of small tets get more mass for it, half of which is kept for that; the rest "
               "keeps steps nearer to 0.75. 0: no floor."),
    FR_NUMBER_(FrSceneCrack, added_mass, FR_DIM_NONE, "0.01", 0, 0.01,
               "Share of the body's mass that may be added for the floor; a run that needs more "
               "says so."),
    FR_NUMBER_(FrSceneCrack, residual, FR_DIM_NONE, "null", 0, 1,
               "Share of what exceeds the strength that runs ahead with the crack; null: the "
               "material's crack_alpha. More: straighter, faster cracks."),
    FR_NUMBER_(
        FrSceneCrack, interval, FR_DIM_TIME, "null", 0, 1,
        "Time between looks for cracks; 0: every step; null: half of what a pressure wave takes "
        "along an edge of the median tet, but no less than twice the stable step. Longer: fewer "
        "pieces; which cracks come first hangs on it."),
    FR_VEC3_(FrSceneCrack, toughness, FR_DIM_NONE, "[1, 1, 1]", 1e-3, 1e3,
             "Factors on the strength along three axes; cracks turn towards a plane across a small "
             "one, part of the way: pulled at an angle a to an axis of toughness k (others 1), the "
             "crack's normal is atan(sqrt(k) tan a) from the axis, at 1 / (cos(a)^2 / k + "
             "sin(a)^2) of the strength. 0.2 at 30 degrees: 14.5 from the axis, 15.5 from the "
             "pull, at a quarter of the strength; 0.01: 3.3 from the axis. {1, 100, 100} turns it "
             "as far as {0.01, 1, 1}, without weakening the axis."),
    FR_VEC3_(FrSceneCrack, cleavage, FR_DIM_ANGLE, "[0, 0, 0]", -1e4, 1e4,
             "Turn of those axes, about x, then y, then z (fixed axes), in the body's own frame."),
};
static const FrRecord crack_record = {
    "crack", "How a body breaks; how strong it is, its material says.", sizeof(FrSceneCrack),
    FR_FIELDS(crack_fields), .example = "crack = { residual = 0.9, toughness = {0.5, 1, 1} }"};

#define WEAKENS .item = FR_FIELD_RECORD, .record = &fr_record_weaken
#define CUTS .item = FR_FIELD_RECORD, .record = &cut_record

static const FrField body_fields[] = {
    FR_TEXT_(FrSceneBody, name, "\"\"", "Name; body1, body2, ... by default."),
    FR_MATERIAL_(FrSceneBody, material, NULL, "What it is made of."),
    FR_VEC3_(FrSceneBody, grain, FR_DIM_NONE, "null", -1e6, 1e6,
             "Where the grain of a wood (the x axis of an anisotropic material) points, in the "
             "body's own frame, before turn; any length. The material's axes are turned the "
             "shortest way. null: along x."),
    FR_CHOICE_(FrSceneBody, model, "\"auto\"", models, "fem bends, frame is rigid; auto chooses."),
    FR_VARIANT_(FrSceneBody, shape, fr_variant_shape, NULL, "Its form at rest."),
    FR_NUMBER_(FrSceneBody, cells, FR_DIM_LENGTH, "0", 0, FAR,
               "Edge length of the tets; 0: chosen."),
    FR_CHOICE_(FrSceneBody, mesher, "\"auto\"", meshers, "How the tets are made."),
    FR_BOOL_(FrSceneBody, graded, "false", "Larger tets inside."),
    FR_BOOL_(FrSceneBody, coarse, "false",
             "The cells that are given stay, though parts thinner than them are lost: otherwise "
             "they become smaller, which is told."),
    PLACE(FrSceneBody, at, "[0, 0, 0]", "Where the origin of the shape goes."),
    FR_VEC3_(FrSceneBody, turn, FR_DIM_ANGLE, "[0, 0, 0]", -1e4, 1e4,
             "About x, then y, then z (fixed axes), before it is moved."),
    FR_VEC3_(FrSceneBody, velocity, FR_DIM_SPEED, "[0, 0, 0]", -1e4, 1e4,
             "At the start; of a rigid body that is fixed at first, when it is let go."),
    FR_VEC3_(FrSceneBody, spin, FR_DIM_SPIN, "[0, 0, 0]", -1e7, 1e7,
             "Likewise, about the centre of mass."),
    FR_LIST_(FrSceneBody, fixed, FIXES, "[]", 0, 1000, "Parts that stay where they are."),
    FR_RECORD_(FrSceneBody, crack, crack_record, "How it breaks."),
    FR_LIST_(FrSceneBody, weaken, WEAKENS, "[]", 0, 1000, "Weaker and stronger parts."),
    FR_LIST_(FrSceneBody, cuts, CUTS, "[]", 0, 1000, "Cracks that are there from the start."),
    FR_BOOL_(FrSceneBody, self_contact, "false",
             "Can it touch itself? A body that broke always can."),
    FR_CHOICE_(
        FrSceneBody, skin, "\"auto\"", skins,
        "What is drawn: the surface of the tets (none), the finer one of the shape, or auto."),
    COLOUR(FrSceneBody, "Linear RGB; null: of the material."),
};
static const FrRecord body_record = {
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
static const FrRecord key_record = {"key",
                                    "A pressure at a time.",
                                    sizeof(FrSceneKey),
                                    FR_FIELDS(key_fields),
                                    .in_order = true,
                                    .example = "{ 10*ms, 3*kPa }"};

static const FrField force_key_fields[] = {
    FR_NUMBER_(FrSceneKey3, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    FR_VEC3_(FrSceneKey3, value, FR_DIM_FORCE, NULL, -1e12, 1e12, "How much."),
};
static const FrRecord force_key_record = {
    "force key",         "A force at a time.",
    sizeof(FrSceneKey3), FR_FIELDS(force_key_fields),
    .in_order = true,    .example = "{ 0.5*s, {0, 0, 20*N} }"};

static const FrField place_key_fields[] = {
    FR_NUMBER_(FrSceneKey3, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    PLACE(FrSceneKey3, value, NULL, "Where."),
};
static const FrRecord place_key_record = {
    "place key",         "A place at a time.",
    sizeof(FrSceneKey3), FR_FIELDS(place_key_fields),
    .in_order = true,    .example = "{ 0.5*s, {0, 0, 20*cm} }"};

static const FrField pose_fields[] = {
    FR_NUMBER_(FrScenePose, t, FR_DIM_TIME, NULL, 0, 3600, "When."),
    PLACE(FrScenePose, move, "[0, 0, 0]", "How far from where it was at the start."),
    FR_VEC3_(FrScenePose, turn, FR_DIM_ANGLE, "[0, 0, 0]", -1e6, 1e6,
             "About x, then y, then z (fixed axes), around `about`."),
};
static const FrRecord pose_record = {"pose",
                                     "A movement at a time.",
                                     sizeof(FrScenePose),
                                     FR_FIELDS(pose_fields),
                                     .in_order = true,
                                     .example = "{ 1*s, {0, 0, 5*cm}, {0, 0, 90} }"};

static const FrField sphere_fields[] = {
    FR_TEXT_(FrSceneSphere, name, "\"\"", "Name; sphere1, sphere2, ... by default."),
    FR_NUMBER_(FrSceneSphere, radius, FR_DIM_LENGTH, NULL, 1e-6, FAR, "Radius."),
    FR_NUMBER_(FrSceneSphere, mass, FR_DIM_MASS, "0", 0, 1e12,
               "Mass; 0: from the material. Without a path."),
    FR_MATERIAL_(FrSceneSphere, material, "\"steel\"", "Friction, bounce, looks, and density."),
    PLACE(FrSceneSphere, at, "[0, 0, 0]", "Where its centre is at the start."),
    FR_VEC3_(FrSceneSphere, velocity, FR_DIM_SPEED, "[0, 0, 0]", -1e5, 1e5,
             "At the start; without a path."),
    FR_VEC3_(FrSceneSphere, spin, FR_DIM_SPIN, "[0, 0, 0]", -1e7, 1e7,
             "At the start; not of a kinematic one, which does not turn."),
    FR_BOOL_(FrSceneSphere, kinematic, "false", "Moves on, whatever it hits, and does not turn."),
    FR_KEYS_(FrSceneSphere, path, place_key_record, "[]",
             "Where its centre is when; makes it kinematic."),
    COLOUR(FrSceneSphere, "Linear RGB; null: of the material."),
};
static const FrRecord sphere_record = {
    "sphere",
    "A rigid ball: falls and rolls, or moves as told.",
    sizeof(FrSceneSphere),
    FR_FIELDS(sphere_fields),
    .main = "radius",
    .check = fr_check_sphere,
    .check_keys = fr_check_sphere_keys,
    .example = "sphere { 4*cm, at = {0, 0, 1*m}, material = \"steel\" }"};

#define WHERE(T) FR_VARIANT_(T, where, fr_variant_region, "\"all\"", "Which part of the body.")

static const FrField force_fields[] = {
    FR_BODY_(FrSceneForce, body, NULL, "On which body."),
    WHERE(FrSceneForce),
    FR_KEYS_(FrSceneForce, value, force_key_record, NULL,
             "Force in world axes, constant or keyframed; shared by mass over the part."),
};
static const FrRecord force_record = {
    "force",
    "A force on a part of a body.",
    sizeof(FrSceneForce),
    FR_FIELDS(force_fields),
    .main = "body",
    .example = "force { beam, where = above { x = 49*cm }, value = {0, 0, -20*N} }"};

static const FrField pressure_fields[] = {
    FR_BODY_(FrScenePressure, body, NULL, "On which body."),
    WHERE(FrScenePressure),
    FR_KEYS_(FrScenePressure, value, key_record, NULL,
             "Pressure against the outward normal, constant or keyframed."),
};
static const FrRecord pressure_record = {
    "pressure",
    "A pressure on the outside of a body.",
    sizeof(FrScenePressure),
    FR_FIELDS(pressure_fields),
    .main = "body",
    .example = "pressure { pane, where = below { y = 0 }, value = { {0, 0}, {5*ms, 20*kPa} } }"};

static const FrField blast_fields[] = {
    FR_BODY_(FrSceneBlast, body, "null", "On which body; null: all that bend."),
    PLACE(FrSceneBlast, origin, NULL, "Where it starts."),
    FR_NUMBER_(FrSceneBlast, start, FR_DIM_TIME, "0", 0, 3600, "When it starts."),
    FR_NUMBER_(FrSceneBlast, peak, FR_DIM_PRESSURE, NULL, 0, 1e12, "Overpressure of the front."),
    FR_NUMBER_(FrSceneBlast, speed, FR_DIM_SPEED, "343", 1, 1e5, "Speed of the front."),
    FR_NUMBER_(FrSceneBlast, decay, FR_DIM_TIME, "0.005", 1e-9, 3600,
               "Time in which the pressure behind the front falls to 1/e."),
    FR_NUMBER_(FrSceneBlast, reference, FR_DIM_LENGTH, "0", 0, FAR,
               "Distance at which the peak holds, falling as 1/r; 0: the same everywhere."),
};
static const FrRecord blast_record = {
    "blast",
    "A pressure wave from a point, on surfaces that face it.",
    sizeof(FrSceneBlast),
    FR_FIELDS(blast_fields),
    .main = "body",
    .example = "blast { origin = {0, -2*m, 1*m}, peak = 3*atm, decay = 4*ms }"};

static const FrField drive_fields[] = {
    FR_BODY_(FrSceneDrive, body, NULL, "Which body."),
    WHERE(FrSceneDrive),
    FR_KEYS_(FrSceneDrive, path, pose_record, "[]", "Movement, keyframed."),
    FR_VEC3_(FrSceneDrive, velocity, FR_DIM_SPEED, "[0, 0, 0]", -1e5, 1e5,
             "Constant; without a path."),
    FR_VEC3_(FrSceneDrive, spin, FR_DIM_SPIN, "[0, 0, 0]", -1e7, 1e7, "Constant; without a path."),
    PLACE(FrSceneDrive, about, "[0, 0, 0]", "Point the turning goes about, in the world."),
    FR_NUMBER_(FrSceneDrive, release, FR_DIM_TIME, "null", 0, 3600,
               "When it is let go; null: never."),
};
static const FrRecord drive_record = {
    "drive",
    "A part of a body that moves as told. Several drives of one body take parts that do not "
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
    PLACE(FrScenePin, at, NULL, "Where, in the world, at the start."),
    FR_NUMBER_(
        FrScenePin, grip, FR_DIM_LENGTH, "0", 0, FAR,
        "What of the body is nearer than this cannot vibrate: it sounds as held there; 0: as "
        "if free."),
};
static const FrRecord pin_record = {
    "pin",
    "A ball joint: a point of one rigid body stays at a point of another. The two do not touch.",
    sizeof(FrScenePin),
    FR_FIELDS(pin_fields),
    .main = "body",
    .example = "pin { beam, at = {0, 0, 1*m} }"};

static const FrField hinge_fields[] = {
    FR_SOLID_(FrSceneHinge, body, NULL, "What is held: a rigid body or a sphere."),
    FR_SOLID_(FrSceneHinge, to, "null", "What holds it; null: the world."),
    PLACE(FrSceneHinge, at, NULL, "A point of the axis, in the world, at the start."),
    FR_VEC3_(FrSceneHinge, axis, FR_DIM_NONE, NULL, -1e6, 1e6, "Along the axis."),
    FR_NUMBER_(FrSceneHinge, grip, FR_DIM_LENGTH, "0", 0, FAR,
               "What of the body is nearer to the axis than this cannot vibrate: it sounds as held "
               "there; 0: as if free."),
};
static const FrRecord hinge_record = {
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
    PLACE(FrSceneCord, from, NULL, "Its end on the body, in the world, at the start."),
    PLACE(FrSceneCord, till, NULL, "Its other end, in the world, at the start."),
    FR_NUMBER_(FrSceneCord, length, FR_DIM_LENGTH, "0", 0, FAR,
               "Its length; 0: the distance of its ends at the start."),
};
static const FrRecord cord_record = {
    "cord",
    "A string: it pulls when taut and hangs loose otherwise. What hangs rings as if free.",
    sizeof(FrSceneCord),
    FR_FIELDS(cord_fields),
    .main = "body",
    .example = "cord { bar, from = {0, 0, 1*m}, till = {0, 0, 1.2*m} }"};

static const FrCase joint_cases[] = {
    [FR_SCENE_PIN] = {"pin", &pin_record},
    [FR_SCENE_HINGE] = {"hinge", &hinge_record},
    [FR_SCENE_CORD] = {"cord", &cord_record},
};
const FrVariant fr_variant_joint = {"joint",
                                    "What holds rigid bodies together.",
                                    sizeof(FrSceneJoint),
                                    joint_cases,
                                    (int32_t)(sizeof joint_cases / sizeof joint_cases[0]),
                                    NULL,
                                    -1};

static const FrCase load_cases[] = {
    [FR_SCENE_FORCE] = {"force", &force_record},
    [FR_SCENE_PRESSURE] = {"pressure", &pressure_record},
    [FR_SCENE_BLAST] = {"blast", &blast_record},
    [FR_SCENE_DRIVE] = {"drive", &drive_record},
};
const FrVariant fr_variant_load = {"load",
                                   "What acts on bodies.",
                                   sizeof(FrSceneLoad),
                                   load_cases,
                                   (int32_t)(sizeof load_cases / sizeof load_cases[0]),
                                   NULL,
                                   -1};

static const FrField camera_fields[] = {
    PLACE(FrSceneCamera, position, "null", "Where it stands; null: chosen."),
    PLACE(FrSceneCamera, target, "null", "Where it looks; null: chosen."),
    FR_NUMBER_(FrSceneCamera, fov, FR_DIM_ANGLE, "null", 1, 150,
               "Field of view, vertical; null: 35 with a position, 32 without."),
};
static const FrRecord camera_record = {
    "camera",
    "Where the film is seen from. \"auto\" sees all that moves or bends, with what stands near it, "
    "and goes "
    "along as it falls or rolls; what flies far off may leave the picture. A camera with a "
    "position "
    "or a target stays where it is.",
    sizeof(FrSceneCamera),
    FR_FIELDS(camera_fields),
    .word = "auto",
    .check = fr_check_camera,
    .example = "camera = { position = {1*m, -2*m, 1*m}, target = {0, 0, 20*cm} }"};

static const FrField slow_fields[] = {
    FR_CHOICE_(FrSceneSlow, at, "\"first-impact\"", slow_times, "What is shown again, slowly."),
    FR_NUMBER_(FrSceneSlow, time, FR_DIM_TIME, "0", 0, 3600, "Where at is \"time\"."),
    FR_NUMBER_(FrSceneSlow, factor, FR_DIM_NONE, "10", 1, 1e6, "How many times slower."),
    FR_NUMBER_(FrSceneSlow, lasts, FR_DIM_TIME, "2", 1e-3, 600, "Seconds of film."),
};
static const FrRecord slow_record = {
    "slow", "A piece of the film again in slow motion.", sizeof(FrSceneSlow),
    FR_FIELDS(slow_fields),
    .example = "slow = { at = \"first-impact\", factor = 20, lasts = 2*s }"};

static const FrField burst_fields[] = {
    FR_NUMBER_(FrSceneBurst, rate, FR_DIM_RATE, "20000", 100, 1e6, "Frames per second."),
    FR_NUMBER_(FrSceneBurst, length, FR_DIM_TIME, "0.005", 1e-6, 1,
               "How long a burst goes on after its first crack. The next one waits for a crack "
               "after so long without any."),
    FR_NUMBER_(FrSceneBurst, before, FR_DIM_TIME, "0.0005", 0, 0.1,
               "How long before the crack it begins."),
    {FR_AT(FrSceneBurst, most), .type = FR_FIELD_INTEGER, .fallback = "1", .min = 1, .max = 100,
     .doc = "Bursts at most."},
    FR_NUMBER_(FrSceneBurst, slow, FR_DIM_NONE, "200", 0, 1e6,
               "How many times slower the film shows them, after the whole in real time; 0: not."),
};
static const FrRecord burst_record = {
    "burst",
    "Frames in quick succession around the moments when things break, beside the ordinary ones. "
    "At most most * (length + before) * rate frames, which may be 20000.",
    sizeof(FrSceneBurst),
    FR_FIELDS(burst_fields),
    .word = "auto",
    .check = fr_check_burst,
    .example = "burst = { length = 10*ms, slow = 400 }"};

static const FrField film_fields[] = {
    FR_RECORD_(FrSceneFilm, camera, camera_record, "Where it is seen from."),
    {FR_AT(FrSceneFilm, size), .type = FR_FIELD_VEC2, .fallback = "[1280, 720]", .min = 16,
     .max = 8192, .doc = "Width and height in pixels."},
    FR_NUMBER_(FrSceneFilm, fps, FR_DIM_RATE, "0", 0, 1000, "Frames per second; 0: as recorded."),
    FR_CHOICE_(FrSceneFilm, look, "\"surface\"", looks,
               "What is drawn; separation: how near nodes are to breaking."),
    FR_MAYBE_(FrSceneFilm, slow, slow_record, "A slow repeat; null: none."),
    FR_MAYBE_(FrSceneFilm, burst, burst_record,
              "What breaks, recorded and shown again in slow motion; null: not."),
    FR_BOOL_(FrSceneFilm, spectrogram, "false", "Show the sound under the picture."),
};
static const FrRecord film_record = {"film",
                                     "The film of the scene.",
                                     sizeof(FrSceneFilm),
                                     FR_FIELDS(film_fields),
                                     .check = fr_check_film,
                                     .example = "film { camera = \"auto\", size = {1920, 1080} }"};

static const FrField sound_fields[] = {
    PLACE(FrSceneSound, listener, "null", "Where the ears are; null: where the film is seen from."),
    FR_NUMBER_(FrSceneSound, gain, FR_DIM_NONE, "0", -200, 200,
               "Decibels on mix and stems alike; at 0 full scale is a peak of 20 Pa."),
    FR_CHOICE_(FrSceneSound, air, "\"small\"", airs,
               "Small bodies send low tones weakly, or all tones alike."),
    FR_BOOL_(FrSceneSound, microphone, "false",
             "Hear deformable bodies, too: macro steps become 1/96000 s."),
    FR_NUMBER_(FrSceneSound, rest, FR_DIM_RATE, "4", 0, 1000,
               "What has come to rest on something dies away faster by this rate."),
};
static const FrRecord sound_record = {"sound", "What things sound like, and to whom.",
                                      sizeof(FrSceneSound), FR_FIELDS(sound_fields),
                                      .example = "sound { listener = {0, -2*m, 1*m}, gain = -6 }"};

#define PARAMS .item = FR_FIELD_RECORD, .record = &fr_record_param
#define MATERIALS .item = FR_FIELD_RECORD, .record = &material_record
#define BODIES .item = FR_FIELD_RECORD, .record = &body_record
#define SPHERES .item = FR_FIELD_RECORD, .record = &sphere_record
#define JOINTS .item = FR_FIELD_VARIANT, .variant = &fr_variant_joint
#define LOADS .item = FR_FIELD_VARIANT, .variant = &fr_variant_load

// the order matters: params are known before values use them, bodies before loads name them
static const FrField scene_fields[] = {
    FR_LIST_(FrScene, params, PARAMS, "[]", 0, 1000, "Knobs of the scene."),
    FR_RECORD_(FrScene, scene, settings_record, "What holds for the whole scene."),
    FR_LIST_(FrScene, materials, MATERIALS, "[]", 0, 1000, "Materials of the scene's own."),
    FR_MAYBE_(FrScene, ground, ground_record, "The ground; null: none."),
    FR_LIST_(FrScene, bodies, BODIES, "[]", 0, 10000, "Solids."),
    FR_LIST_(FrScene, spheres, SPHERES, "[]", 0, 10000, "Rigid balls."),
    FR_LIST_(FrScene, joints, JOINTS, "[]", 0, 10000, "Pins, hinges, cords."),
    FR_LIST_(FrScene, loads, LOADS, "[]", 0, 10000, "Forces, pressures, blasts, drives."),
    FR_RECORD_(FrScene, film, film_record, "The film."),
    FR_RECORD_(FrScene, sound, sound_record, "The sound."),
};
const FrRecord fr_record_scene = {"top", "A scene file in JSON is one object with these keys.",
                                  sizeof(FrScene), FR_FIELDS(scene_fields)};

const FrWord fr_words[] = {
    {"scene", "scene", &settings_record, false, false, NULL},
    {"ground", "ground", &ground_record, false, false, NULL},
    {"film", "film", &film_record, false, false, NULL},
    {"sound", "sound", &sound_record, false, false, NULL},
    {"material", "materials", &material_record, true, false, "material"},
    {"body", "bodies", &body_record, true, false, "body"},
    {"sphere", "spheres", &sphere_record, true, false, "sphere"},
    {"pin", "joints", &pin_record, true, true, NULL},
    {"hinge", "joints", &hinge_record, true, true, NULL},
    {"cord", "joints", &cord_record, true, true, NULL},
    {"force", "loads", &force_record, true, true, NULL},
    {"pressure", "loads", &pressure_record, true, true, NULL},
    {"blast", "loads", &blast_record, true, true, NULL},
    {"drive", "loads", &drive_record, true, true, NULL},
};
const int32_t fr_word_count = (int32_t)(sizeof fr_words / sizeof fr_words[0]);

const FrRecord *const fr_records[] = {
    &fr_record_scene,  &settings_record, &step_record,   &contact_record,   &fr_record_param,
    &material_record,  &ground_record,   &body_record,   &fr_record_fix,    &crack_record,
    &fr_record_weaken, &cut_record,      &sphere_record, &place_key_record, &pin_record,
    &hinge_record,     &cord_record,     &force_record,  &force_key_record, &pressure_record,
    &key_record,       &blast_record,    &drive_record,  &pose_record,      &film_record,
    &sound_record,     &camera_record,   &slow_record,   &burst_record,     &fr_record_hole,
};
const int32_t fr_record_count = (int32_t)(sizeof fr_records / sizeof fr_records[0]);

const FrField *fr_record_find(const FrRecord *record, const char *name) {
    for (int32_t k = 0; k < record->field_count; k++)
        if (!strcmp(record->field[k].name, name)) return &record->field[k];
    return NULL;
}

int32_t fr_variant_find(const FrVariant *variant, const char *tag) {
    for (int32_t k = 0; k < variant->case_count; k++)
        if (!strcmp(variant->cases[k].tag, tag)) return k;
    return -1;
}

size_t fr_field_item_size(const FrField *field) {
    switch (field->item) {
    case FR_FIELD_NUMBER:
        return sizeof(double);
    case FR_FIELD_VEC2:
        return sizeof(FrSceneVec2);
    case FR_FIELD_SCALAR:
        return sizeof(FrSceneScalar);
    case FR_FIELD_RECORD:
        return field->record->size;
    case FR_FIELD_VARIANT:
        return field->variant->size;
    default:
        FR_ASSERT(false, "a list of this type has no size in the table");
        return 0;
    }
}
