// model.h: the table that makes every way of moving a body look the same to the world; one file per
// row.
#pragma once
#include "base/bytes.h"
#include "base/hash.h"
#include "fem/fem.h"
#include "fracture/fracture.h"
#include "fracas/world.h"
#include "math/vec.h"

/// What contact needs to know of a body's stuff.
typedef struct FrContactStuff {
    double young;     ///< Pa
    double edge;      ///< mean edge of its tets, m
    double node_mass; ///< mean, kg
    double wall;      ///< 2 V / A: how thick it is if it is a wall, m; 0: no matter
} FrContactStuff;

/// Points of a body come as a material point and its present place x; spheres use x alone (tet ==
/// -1).
typedef struct FrModelOps {
    const char *name;
    FrResult (*create)(FrContext *ctx, const FrBodyDef *def, void **state);
    void (*destroy)(void *state);
    double (*dt_limit)(void *state); ///< s, without safety factor; INFINITY: none
    /// from t to t + dt with the forces added so far, which are then cleared
    FrResult (*step)(void *state, double t, double dt, FrVec3 gravity);
    void (*view)(const void *state, FrShapeView *view); ///< false shapes (spheres): zero tets
    /// where its frame is; false where there is none
    bool (*pose)(const void *state, FrVec3 *position, FrQuat *rotation, FrVec3 *velocity,
                 FrVec3 *spin);
    FrVec3 (*velocity)(const void *state, FrPoint at, FrVec3 x);
    double (*inverse_mass)(const void *state, FrPoint at,
                           FrVec3 x); ///< 1/kg, of the softest direction
    void (*force)(void *state, FrPoint at, FrVec3 x, FrVec3 force); ///< from contact, N
    /// of the work of contact this much came from a led body, J
    void (*note_led)(void *state, double work);
    void (*stuff)(const void *state, FrContactStuff *stuff);
    /// break what has to break after the substep from t to t + dt; NULL: it never breaks
    FrResult (*fracture)(void *state, double t, double dt, FrFractureResult *result);
    void (*backup)(void *state);
    void (*restore)(void *state);
    FrFemWatch (*watch)(const void *state); ///< of the last step [M3]
    void (*energy)(void *state, FrVec3 gravity, FrEnergy *energy);
    void (*momentum)(const void *state, FrVec3 *linear, FrVec3 *angular);
    /// of gravity, loads, hands and mass damping since the start, N s; and its mass, kg
    void (*impulse)(const void *state, FrVec3 *impulse, double *mass);
    int32_t (*guarded)(void *state); ///< tets squeezed below 0.3 of their volume
    /// what is physical in its state: places, velocities, strains, tets
    void (*hash)(const void *state, FrHash *hash);
    void (*save)(const void *state, FrWriter *writer);
    FrResult (*load)(void *state, FrReader *reader);
} FrModelOps;

extern const FrModelOps fr_model_fem, fr_model_frame;

static inline const FrModelOps *fr_model_ops(FrModel model) {
    return model == FR_MODEL_FEM ? &fr_model_fem : &fr_model_frame;
}

struct FrRigid;
/// What steps rigid frames together (frames.h) needs of one.
typedef struct FrFrameParts {
    void *state;
    struct FrRigid *rigid;
    double *contact_work;  ///< of contact, less what led bodies gave, J
    double *outer_work;    ///< of gravity and led bodies, J
    FrVec3 *outer_impulse; ///< of gravity and what nothing moves, N s
    FrVec3 offset;         ///< centre of mass in mesh coordinates, m
    double volume;         ///< m^3
} FrFrameParts;
FrFrameParts fr_model_frame_parts(void *state);
/// Has a led frame a track?
bool fr_model_frame_travels(const void *state);
/// A led frame's rigid state from t to t + dt: where its track says.
/// A led frame is free from now on; `fresh`: it sets out with the velocity it was made with.
void fr_model_frame_free(void *state, bool fresh);
void fr_model_frame_lead(const void *state, double t, double dt, struct FrRigid *rigid);
/// Put the nodes where the frame is.
void fr_model_frame_place(void *state);

struct FrFem;
/// The deformable solid behind a body of model fem, for drives and loads.
struct FrFem *fr_model_fem_solid(void *state);
/// What breaks it; NULL: nothing does.
FrFracture *fr_model_fem_fracture(void *state);
/// Between looks for what breaks, s; 0: after every step.
double fr_model_fem_interval(const void *state);
/// How much time may pass between looks for what breaks, s; HUGE_VAL: nothing is looked for, or
/// after every step.
double fr_model_fem_look(const void *state);
