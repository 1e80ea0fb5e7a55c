// subject.h: which bodies a film is about: what broke, with its larger pieces, or what was named.
#pragma once
#include "base/array.h"
#include "math/vec.h"
#include "render/render.h"

/// One body of the film.
typedef struct FrSubjectBody {
    int32_t root;  ///< the body that it came from, through however many breaks; itself: none
    double volume; ///< at rest, m^3
    double length; ///< diagonal of its box at rest, m
    bool named;    ///< it, or what it came from, has the name that was asked for
    bool parent;   ///< others took its place
    bool crumb;    ///< a small piece of what broke: no camera follows it
} FrSubjectBody;

typedef struct FrSubject {
    const char *name;             ///< of the body that the film is to be about; NULL: all
    FR_ARRAY(FrSubjectBody) body; ///< of the film, by number
} FrSubject;

/// Takes up bodies of a frame, and which of them took the place of others.
FrResult fr_subject_look(FrContext *ctx, FrSubject *subject, const FrFrameView *view);
/// Once all frames were looked at: which pieces are crumbs. FR_BAD_USE: no body has the name.
FrResult fr_subject_choose(FrContext *ctx, FrSubject *subject);
/// Did the body fall into others, or come from one that did?
bool fr_subject_broke(const FrSubject *subject, int32_t body);
/// When bodies first took the place of another between two frames: the first frame that has them;
/// -1: never.
FrResult fr_break_frame(const FrFrameSource *source, int32_t *frame);

/// Volume of a mesh, m^3.
double fr_mesh_volume(const FrTetMesh *mesh);
