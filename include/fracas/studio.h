// fracas/studio.h: what the program can do, as calls: run scenes, mesh shapes, draw, export,
// explain. SI units (m, kg, s, Pa). Conventions: docs/conventions.md SPDX-License-Identifier: MIT
#pragma once
#include "fracas/frame.h"

FR_EXTERN_C_BEGIN

/// Text that a call made: set by every call, data NULL when it failed before there was any. `data`
/// ends with a zero byte; fr_text_free gives it back.
typedef struct FrText {
    char *data;
    size_t size;
} FrText;
/// Fine on an empty one.
FR_API void fr_text_free(FrContext *ctx, FrText *text);

typedef enum FrDetail { FR_DETAIL_DRAFT, FR_DETAIL_NORMAL, FR_DETAIL_FINE } FrDetail;

/// How a scene is read and run. Zeros are the defaults.
typedef struct FrRunOptions {
    const char *scene;      ///< path of a .lua or .json
    const char *out;        ///< folder; NULL: out/<scene>, with the settings in its name
    const char *const *set; ///< params changed from outside, "fall=60cm" (set_count)
    int32_t set_count;
    bool has_seed;
    uint64_t seed;           ///< instead of the scene's
    double until;            ///< s; 0: the scene's duration
    double fps;              ///< frames per second; 0: the scene's
    FrDetail detail;         ///< FR_DETAIL_NORMAL is 1: set it
    bool restart;            ///< throw an earlier run away
    bool dry_run;            ///< only say what it would take
    bool no_film;            ///< simulate only
    double checkpoint_every; ///< s of wall time between checkpoints; 0: 60
    const char *command;     ///< the command line, for the page; NULL: none
} FrRunOptions;

/// Mesh, simulate, film. Resumes what was interrupted; does nothing where nothing changed.
/// `summary` gets the closing line, or report.json when `json`.
/// FR_BAD_USE: another scene was run in this folder (say restart). FR_INTERRUPTED: checkpoint
/// written.
FR_API FrResult fr_job_run(FrContext *ctx, const FrRunOptions *options, bool json, FrText *summary);

typedef struct FrMeshOptions {
    const char *input;      ///< scene or surface or tet mesh
    const char *output;     ///< .msh, or .node (with .ele); NULL: only the report
    const char *const *set; ///< for scenes (set_count)
    int32_t set_count;
    double size;   ///< target edge, m; 0: some hundred cells fill its box
    double unit;   ///< m per unit of the file; 0: 1
    bool up_y;     ///< the file has +y up
    bool graded;   ///< larger tets inside
    int32_t order; ///< 2: 10-node tets, their mid-nodes on the true shape; else 4-node tets
} FrMeshOptions;
/// Make tets and report their quality; writes them where `output` says.
FR_API FrResult fr_job_mesh(FrContext *ctx, const FrMeshOptions *options, bool json,
                            FrText *report);

typedef struct FrRenderJob {
    const char *recording;
    const char *output;    ///< .mp4 or .png; NULL: beside the recording
    int32_t frame;         ///< with .png; -1: the poster's choice
    int32_t columns, rows; ///< contact sheet; 0: none
    int32_t width, height; ///< pixels; 0: the scene's
    FrShow show;
} FrRenderJob;
/// Draw a recording, finished or still growing. `report` names the file that was written.
FR_API FrResult fr_job_render(FrContext *ctx, const FrRenderJob *job, bool json, FrText *report);

typedef struct FrExportJob {
    const char *recording;
    const char *output;   ///< .usda or .pvd
    double fps;           ///< 0: the recording's
    int32_t start_frame;  ///< number of the first frame
    const char *preset;   ///< "houdini", "blender", "unreal"; NULL: none
    const char *topology; ///< where bodies break: "final": the last mesh over all frames (also
                          ///< NULL), "changing": the mesh of each frame
} FrExportJob;
/// Write a recording for other programs. `report` names the file that was written.
FR_API FrResult fr_job_export(FrContext *ctx, const FrExportJob *job, bool json, FrText *report);

/// What a file is and holds: recording, surface, tet mesh, scene.
FR_API FrResult fr_job_info(FrContext *ctx, const char *path, bool json, FrText *text);
/// The resolved, complete, replayable form of a scene.
FR_API FrResult fr_job_scene(FrContext *ctx, const FrRunOptions *options, FrText *text);
/// All mistakes of a scene; FR_BAD_INPUT when there are some. `text` has them either way.
FR_API FrResult fr_job_check(FrContext *ctx, const FrRunOptions *options, bool json, FrText *text);
/// The library as a table, or one material explained (name NULL: all).
FR_API FrResult fr_job_materials(FrContext *ctx, const char *name, bool json, FrText *text);
/// Numbers as ratios to limits measured in the same run.
FR_API FrResult fr_job_bench(FrContext *ctx, bool json, FrText *text);
/// Reference page, JSON Schema or editor completion of the scene language: "md", "schema", "lua".
FR_API FrResult fr_job_language(FrContext *ctx, const char *form, FrText *text);

FR_EXTERN_C_END
