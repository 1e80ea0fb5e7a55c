// schema.c: the one table of what a scene can say: the whole of it, materials, film and sound;
// words of Lua. Bodies are in schema_body.c, shapes in schema_shape.c.

#include "scene/schema.h"
#include <string.h>

static const char *const methods[] = {"symplectic", "euler", "taylor", NULL};
static const char *const criteria[] = {"overlap", "node", NULL};
static const char *const slow_times[] = {"first-impact", "first-crack", "time", NULL};
static const char *const airs[] = {"small", "flat", "full", NULL};
static const char *const pulses[] = {"half-sine", "gauss", NULL};
static const char *const shows[] = {"surface", "stress", "tets", "separation", "heat", NULL};

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
    FR_NUMBER_(FrSceneContact, rolling, FR_DIM_LENGTH, "0.0005", 0, 1,
               "Lever arm of rolling: so far from its middle a contact carries shards that roll or "
               "rock on it. Handbooks have 0.5 mm for hard wheels on hard ground, 0.1 mm for balls "
               "in bearings, 1.2 mm for wood on steel."),
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
    M(plastic_limit, FR_DIM_NONE, 0, 100,
      "Largest plastic strain; 0.55 where only yield_strain is given, and at most 0.55 without "
      "creep."),
    M(creep, FR_DIM_RATE, 0, 1e6,
      "Of model corot: share of the elastic strain that flows per second where it is above "
      "yield_strain; 0: what is above it flows at once."),
    M(conductivity, FR_DIM_NONE, 0, 1e5, "Of heat, W/m/K; 0: it stays where it is."),
    M(heat_capacity, FR_DIM_NONE, 0, 1e6, "J/kg/K; 0: it does not get warm."),
    M(cooling, FR_DIM_NONE, 0, 1e6, "What its surface gives to air of 20 degrees C, W/m^2/K."),
    M(softens, FR_DIM_NONE, -273.15, 1e4,
      "Of model corot: degrees C from which on warmth makes it soft."),
    M(melts, FR_DIM_NONE, -273.15, 1e4,
      "Of model corot: degrees C at which it is molten: it has 0.02 of its stiffness, and yields "
      "at "
      "once; 0: it does not melt."),
    M(crack_alpha, FR_DIM_NONE, 0, 1, "Residual propagation factor."),
    FR_COLOUR_(FrSceneMaterial, "Linear RGB."),
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
    FR_NUMBER_(FrSceneGround, height, FR_DIM_LENGTH, "0", -FR_FAR, FR_FAR,
               "Height along the normal."),
    FR_VEC3_(FrSceneGround, normal, FR_DIM_NONE, "[0, 0, 1]", -1e6, 1e6, "Up; any length."),
    FR_MATERIAL_(FrSceneGround, material, "\"concrete\"", "What it is made of."),
    FR_COLOUR_(FrSceneGround, "Linear RGB; null: of the material."),
};
static const FrRecord ground_record = {"ground",
                                       "An endless plane.",
                                       sizeof(FrSceneGround),
                                       FR_FIELDS(ground_fields),
                                       .check = fr_check_ground,
                                       .example = "ground { material = \"concrete\" }"};

static const FrField camera_fields[] = {
    FR_PLACE_(FrSceneCamera, position, "null", "Where it stands; null: chosen."),
    FR_PLACE_(FrSceneCamera, target, "null", "Where it looks; null: chosen."),
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
    FR_CHOICE_(FrSceneFilm, show, "\"surface\"", shows,
               "What is drawn; separation: how near nodes are to breaking; heat: how warm it is."),
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
    FR_PLACE_(FrSceneSound, listener, "null",
              "Where the ears are; null: where the film is seen from."),
    FR_NUMBER_(FrSceneSound, gain, FR_DIM_NONE, "null", -200, 200,
               "Decibels on mix and stems alike; at 0 full scale is a peak of 20 Pa. null: 0, or "
               "less where that would clip."),
    FR_CHOICE_(FrSceneSound, air, "\"small\"", airs,
               "Small bodies send low tones weakly; all tones alike; or as the shape has it, in "
               "each direction otherwise (full)."),
    FR_CHOICE_(
        FrSceneSound, pulse, "\"half-sine\"", pulses,
        "How a blow pushes over time: Hertz's half-sine, or a Gaussian of the same variance, "
        "as S4 had them: softer in its highest tones."),
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
#define BODIES .item = FR_FIELD_RECORD, .record = &fr_record_body
#define SPHERES .item = FR_FIELD_RECORD, .record = &fr_record_sphere
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
    FR_LIST_(FrScene, joints, JOINTS, "[]", 0, 10000, "Pins, hinges, cords, nails, drags, grabs."),
    FR_LIST_(FrScene, loads, LOADS, "[]", 0, 10000, "Forces, pressures, blasts, drives, heat."),
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
    {"body", "bodies", &fr_record_body, true, false, "body"},
    {"sphere", "spheres", &fr_record_sphere, true, false, "sphere"},
    {"pin", "joints", &fr_record_pin, true, true, NULL},
    {"hinge", "joints", &fr_record_hinge, true, true, NULL},
    {"cord", "joints", &fr_record_cord, true, true, NULL},
    {"nail", "joints", &fr_record_nail, true, true, NULL},
    {"drag", "joints", &fr_record_drag, true, true, NULL},
    {"grab", "joints", &fr_record_grab, true, true, NULL},
    {"force", "loads", &fr_record_force, true, true, NULL},
    {"pressure", "loads", &fr_record_pressure, true, true, NULL},
    {"blast", "loads", &fr_record_blast, true, true, NULL},
    {"drive", "loads", &fr_record_drive, true, true, NULL},
    {"heat", "loads", &fr_record_heat, true, true, NULL},
};
const int32_t fr_word_count = (int32_t)(sizeof fr_words / sizeof fr_words[0]);

const FrRecord *const fr_records[] = {
    &fr_record_scene,    &settings_record,     &step_record,         &contact_record,
    &fr_record_param,    &material_record,     &ground_record,       &fr_record_body,
    &fr_record_fix,      &fr_record_crack,     &fr_record_criterion, &fr_record_remeshing,
    &fr_record_pieces,   &fr_record_cost,      &fr_record_shatter,   &fr_record_weaken,
    &fr_record_cut,      &fr_record_sphere,    &fr_record_place_key, &fr_record_pin,
    &fr_record_hinge,    &fr_record_cord,      &fr_record_force,     &fr_record_force_key,
    &fr_record_pressure, &fr_record_key,       &fr_record_blast,     &fr_record_drive,
    &fr_record_pose,     &film_record,         &sound_record,        &camera_record,
    &slow_record,        &burst_record,        &fr_record_hole,      &fr_record_nail,
    &fr_record_part,     &fr_record_drag,      &fr_record_spot,      &fr_record_grab,
    &fr_record_heat,     &fr_record_power_key,
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
    case FR_FIELD_VEC3:
        return sizeof(FrVec3);
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
