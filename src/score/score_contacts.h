// score_contacts.h: contacts of another engine, however they were written.
#pragma once
#include "score/score.h"

/// One contact as a file gives it. NaN: not given.
typedef struct FrContactRow {
    double t;           ///< s
    FrVec3 at;          ///< m, the body's own axes
    FrVec3 impulse;     ///< N s, the body's own axes
    double duration;    ///< s
    double speed;       ///< m/s: of a mallet, or of sliding where there is a force
    double force;       ///< N: pressing on what slides
    const char *mallet; ///< NULL: steel
} FrContactRow;
FrContactRow fr_contact_row(void); ///< nothing given

/// A body of the file: `file` is looked for beside `beside`. `material` NULL or "": the asset's
/// own.
FrResult fr_score_contact_body(FrScore *score, const char *beside, const char *name,
                               const char *file, const char *material, double unit);
/// Where the middle of a body is: first at 0 s, then at equal steps of time.
FrResult fr_score_contact_place(FrScore *score, int32_t body, double t, FrVec3 at);
/// Impulse, mallet or sliding, whichever was given.
FrResult fr_score_contact(FrScore *score, int32_t body, const FrContactRow *row);
