// read.h: values to definitions by the schema: types, units, ranges, defaults, names.
#pragma once
#include "scene/problems.h"
#include "scene/schema.h"
#include "scene/value.h"

#define FR_READ_DEFAULTS 512
#define FR_READ_WARNINGS 10 ///< units that do not fit; more are not reported

typedef struct FrSceneReader {
    FrContext *ctx;
    FrArena *arena; ///< of the scene: what is read goes here
    FrProblems *problems;
    const FrSceneOptions *options;
    FrScene *scene;
    const char *folder;   ///< where files are looked for; "": not looked for
    FrValueTree defaults; ///< parsed defaults, one per field
    struct {
        const FrField *field;
        const FrValue *value;
    } cache[FR_READ_DEFAULTS];
    int64_t budget;  ///< records that may still be read
    bool unfinished; ///< the script stopped early: what is missing was perhaps still to come
    FrPlace warned[FR_READ_WARNINGS]; ///< where a unit does not fit
    int32_t warned_count;
    bool *set_used; ///< a {"param": name} took the value of this set (set_count); NULL: not watched
} FrSceneReader;

/// `options` must not be NULL.
void fr_reader_begin(FrSceneReader *reader, FrContext *ctx, FrArena *arena, FrProblems *problems,
                     const FrSceneOptions *options, FrScene *scene);
void fr_reader_end(FrSceneReader *reader);

/// Fill the struct of `record` at `at`; problems go to the list.
void fr_read_record(FrSceneReader *reader, const FrRecord *record, const FrValue *value, void *at,
                    const FrPath *path);

/// One field's value at its storage (not for lists).
void fr_read_value(FrSceneReader *reader, const FrField *field, FrFieldType type,
                   const FrValue *value, void *at, const FrPath *path);

/// The same for what is neither record, variant nor list (read_scalar.c).
void fr_read_scalar(FrSceneReader *reader, const FrField *field, FrFieldType type,
                    const FrValue *value, void *at, const FrPath *path);

/// Did an unknown word give this? Its problem is in the list already, and counts again.
bool fr_read_unknown(FrSceneReader *reader, const FrValue *value);

/// Take the value of --set, when there is one, and check bounds and choices.
void fr_read_param(FrSceneReader *reader, FrSceneParam *param, FrPlace place, const FrPath *path);

/// Names that appear twice, sets nobody asked for.
void fr_read_finish(FrSceneReader *reader, const FrValue *root, bool json);
