// fracas/studio.h: what the program can do, as calls: run scenes, mesh shapes, draw, export,
// explain. SI units (m, kg, s, Pa). Conventions: docs/conventions.md SPDX-License-Identifier: MIT
#pragma once
#include "fracas/bank.h"
#include "fracas/crack.h"
#include "fracas/frame.h"

FR_EXTERN_C_BEGIN

/// Text that a call made: set by every call, data NULL when it failed before there was any. `data`
/// ends with a zero byte; fr_text_free gives it back.
typedef struct FrText {
    char *data;  ///< (size), then a zero byte
    size_t size; ///< bytes
} FrText;
/// Fine on an empty one.
FR_API void fr_text_free(FrContext *ctx, FrText *text);

/// CHOLMOD and LAPACK, for FrContextDef.backend. The calls below take it by themselves where the
/// context has none. Static; contexts in several threads may share it. It computes on the threads
/// of the context: OpenBLAS and CHOLMOD make no teams of their own meanwhile, a setting of each
/// calling thread (OpenMP's), on which bits do not depend then. Only where the process has an
/// OpenBLAS that is not of OpenMP is its number of threads set to 1 for all, and set back.
FR_API const FrBackend *fr_studio_backend(void);

/// A length of time for people: "0.45 s", "12 s", "2 min 5 s", "3 h 20 min".
FR_API void fr_duration_text(double seconds, char text[32]);

// Every Def below comes from its default function: one that does not is a caller's bug, as is NULL
// where something must be, and is reported so (FrContextDef.assert_failed), with FR_BAD_USE. What
// is left FR_CHOSEN is as the scene says. `set` of a Def changes params of the scene, in the words
// that a scene has: "fall=60cm".

/// How fine a scene is meshed: edges of 1.5, 1 and 0.67 times what it says.
typedef enum FrDetail { FR_DETAIL_DRAFT, FR_DETAIL_NORMAL, FR_DETAIL_FINE } FrDetail;

/// How a scene is read and run. Start from fr_run_def_default(), then change fields.
typedef struct FrRunDef {
    const char *scene;       ///< path of a .lua or .json
    const char *out;         ///< folder; NULL: out/<scene>, with the settings in its name
    const char *const *set;  ///< params changed from outside, "fall=60cm" (set_count)
    int32_t set_count;       ///< of them
    bool has_seed;           ///< `seed` is given
    uint64_t seed;           ///< instead of the scene's
    double until;            ///< s, above 0; FR_CHOSEN: the scene's duration
    double fps;              ///< frames per second; FR_CHOSEN: the scene's
    FrDetail detail;         ///< how fine it is meshed
    bool restart;            ///< throw an earlier run away
    bool dry_run;            ///< only say what it would take
    bool no_film;            ///< draw nothing
    bool no_sound;           ///< compute no modes and no sound
    double checkpoint_every; ///< s of wall time between checkpoints, 0: after every macro step;
                             ///< FR_CHOSEN: 60, or more where they take long
    const char *command;     ///< the command line, for the page; NULL: none
    int32_t cookie;          ///< set by fr_run_def_default(); do not touch
} FrRunDef;

/// The scene as it is: FR_DETAIL_NORMAL, a film, sound.
FR_API FrRunDef fr_run_def_default(void);

/// Mesh, simulate, film. Resumes what was interrupted; does nothing where nothing changed.
/// `summary` gets the closing line, or report.json when `json`.
/// FR_BAD_USE: another scene was run in this folder (say restart). FR_INTERRUPTED: checkpoint
/// written.
FR_API FrResult fr_job_run(FrContext *ctx, const FrRunDef *options, bool json, FrText *summary);

/// A param of a scene and the values that it takes, in the words that a scene has. Start from
/// fr_vary_def_default().
typedef struct FrVaryDef {
    const char *param;        ///< "strength"
    const char *const *value; ///< "20MPa" (value_count)
    int32_t value_count;      ///< of them, above 0
    int32_t cookie;           ///< set by fr_vary_def_default(); do not touch
} FrVaryDef;
FR_API FrVaryDef fr_vary_def_default(void); ///< nothing varies

/// Many runs of one scene. frame and time choose the moment of the sheet. Start from
/// fr_sweep_def_default().
typedef struct FrSweepDef {
    FrRunDef run;          ///< as for one; `out`: folder of all, NULL: out/<scene>-sweep-<params>
    const FrVaryDef *vary; ///< (vary_count), all combinations
    int32_t vary_count;    ///< of them, above 0
    int32_t frame;         ///< -1: the last
    double time;           ///< s, the last frame up to it; below 0: as `frame` says
    FrShow show;           ///< what is drawn
    int32_t cookie;        ///< set by fr_sweep_def_default(); do not touch
} FrSweepDef;

/// Runs as fr_run_def_default() has them, and a sheet of the last frames.
FR_API FrSweepDef fr_sweep_def_default(void);

/// Runs in folders of their own (those that are there are kept, those that were stopped go on),
/// then sweep.csv and sheet.png. Runs that break down (FR_NUMERICAL at the end) do not keep others
/// back.
FR_API FrResult fr_job_sweep(FrContext *ctx, const FrSweepDef *job, bool json, FrText *text);

/// How a file or a scene becomes tets. Start from fr_mesh_def_default().
typedef struct FrMeshDef {
    const char *input;      ///< scene or surface or tet mesh
    const char *output;     ///< .msh, or .node (with .ele); NULL: only the report
    const char *const *set; ///< for scenes (set_count)
    int32_t set_count;      ///< of them
    double size;            ///< target edge, m; FR_CHOSEN: some hundred cells fill its box
    double unit;            ///< m per unit of the file, above 0 (1)
    bool up_y;              ///< the file has +y up
    bool graded;            ///< larger tets inside
    int32_t order;          ///< 1: 4-node tets; 2: 10-node tets, their mid-nodes on the true shape
    int32_t cookie;         ///< set by fr_mesh_def_default(); do not touch
} FrMeshDef;

/// Metres, z up, 4-node tets of a size that is chosen.
FR_API FrMeshDef fr_mesh_def_default(void);

/// Make tets and report their quality; writes them where `output` says.
FR_API FrResult fr_job_mesh(FrContext *ctx, const FrMeshDef *options, bool json, FrText *report);

/// A material as a person writes it: the name of one of the library, or its constants,
/// "E=110GPa,nu=0.34,rho=8800" (or lambda and mu; alpha1, alpha2, eta if wanted). FR_BAD_INPUT: no
/// such material, or constants that are none.
FR_API FrResult fr_material_parse(FrContext *ctx, const char *text, FrMaterial *material);

/// Nodes of the tets whose modes are computed.
typedef enum FrTetOrder {
    FR_ORDER_AUTO, ///< of a mesh file as they are, else 10
    FR_ORDER_1,    ///< 4
    FR_ORDER_2,    ///< 10
} FrTetOrder;

/// How a body vibrates. Start from fr_modes_def_default().
typedef struct FrModesDef {
    const char *input;         ///< tet mesh, surface or scene
    const char *output;        ///< .json .csv .dsp (Faust) .csd (Csound) .scd (SuperCollider) .png
    const char *material;      ///< of the scene or of the library; NULL: the scene's, or `made_of`
    const FrMaterial *made_of; ///< its constants, instead of a name; NULL: by name
    const char *body;          ///< which of a scene; NULL: the only one
    const char *const *set;    ///< for scenes (set_count)
    int32_t set_count;         ///< of them
    double size;               ///< target edge, m; FR_CHOSEN: chosen
    double unit;               ///< m per unit of the file, above 0 (1)
    bool up_y;                 ///< the file has +y up
    FrTetOrder order;          ///< of the tets
    bool lumped;               ///< mass on the diagonal
    double max_hz;             ///< highest tone, Hz, above 0 (20 kHz)
    int32_t count;             ///< no more than these, above 0; INT32_MAX: all up to max_hz
    bool no_cache;             ///< neither look up nor keep
    const char *cache; ///< folder of kept modes; NULL: $FRACAS_CACHE, $XDG_CACHE_HOME or ~/.cache
    int32_t cookie;    ///< set by fr_modes_def_default(); do not touch
} FrModesDef;

/// All modes up to 20 kHz, kept for the next time.
FR_API FrModesDef fr_modes_def_default(void);

/// Frequencies, notes, decays and gains of a body's modes, as a table or for other programs.
FR_API FrResult fr_job_modes(FrContext *ctx, const FrModesDef *job, bool json, FrText *report);

/// What is drawn of a recording. Start from fr_render_def_default().
typedef struct FrRenderDef {
    const char *recording;   ///< run.fracas, or the folder that it is in
    const char *output;      ///< .mp4 or .png; NULL: beside the recording
    int32_t frame;           ///< with .png; -1: the poster's choice
    double time;             ///< s, or the frame nearest to it; below 0: as `frame` says
    int32_t columns, rows;   ///< contact sheet; 0: none
    int32_t strobe;          ///< so many moments in one picture, with paths; 0: none
    int32_t width, height;   ///< pixels; 0: the scene's
    FrShow show;             ///< what is drawn
    bool burst;              ///< the frames around what broke instead of the ordinary ones
    const FrVec3 *camera;    ///< where it is seen from, m; NULL: the scene's
    const FrVec3 *target;    ///< what it points at, m; NULL: the scene's
    const char *target_body; ///< the body that the camera follows, with what it broke to; NULL:
                             ///< what acts
    double fov;              ///< degrees, vertical; FR_CHOSEN: the scene's
    const char *scene;       ///< .lua or .json whose film settings are taken; NULL: the recording's
    const char *const *set;  ///< for that scene (set_count)
    int32_t set_count;       ///< of them
    int32_t cookie;          ///< set by fr_render_def_default(); do not touch
} FrRenderDef;

/// A film of the whole recording, as its scene has it.
FR_API FrRenderDef fr_render_def_default(void);

/// Draw a recording, finished or still growing; a film has the sound.wav that was made beside it.
/// `report` names the file that was written.
FR_API FrResult fr_job_render(FrContext *ctx, const FrRenderDef *job, bool json, FrText *report);

/// Where a USD file goes; decides up axis and unit. The file always says which it has.
typedef enum FrUsdPreset {
    FR_USD_BLENDER, ///< z up, metres
    FR_USD_HOUDINI, ///< y up, metres
    FR_USD_UNREAL,  ///< z up, centimetres
} FrUsdPreset;

/// How a recording is written for others. Start from fr_export_def_default().
typedef struct FrExportDef {
    const char *recording; ///< run.fracas, or the folder that it is in
    const char *output;    ///< .usda or .pvd; FOLDER/: an OBJ of each piece in the last frame
    double fps;            ///< time codes per second; FR_CHOSEN: the recording's
    int32_t start_frame;   ///< number of the first frame
    FrUsdPreset preset;    ///< for which program
    FrTopology topology;   ///< which mesh frames have where bodies break
    bool burst;     ///< the frames around what broke instead of the ordinary ones, in slow motion
    int32_t cookie; ///< set by fr_export_def_default(); do not touch
} FrExportDef;

/// For Blender, the last mesh over all frames, from frame 0 on.
FR_API FrExportDef fr_export_def_default(void);

/// Write a recording for other programs. `report` names the file that was written.
FR_API FrResult fr_job_export(FrContext *ctx, const FrExportDef *job, bool json, FrText *report);

/// A thing that is broken: it falls, or stands and is hit. Start from fr_break_def_default().
typedef struct FrBreakDef {
    const char *file;     ///< .obj .ply .stl, .msh .node
    const char *material; ///< a brittle one of the library
    double size;          ///< target edge of tets, m; FR_CHOSEN: so small that walls have no holes
    double unit;          ///< m per unit of the file, above 0 (1)
    bool up_y;            ///< the file has +y up
    FrVec3 turn;          ///< how it stands: about x, then y, then z, rad
    double drop;          ///< its lowest point is so far above the ground, m, above 0 (0.75)
    const FrVec3 *hit; ///< instead, a steel ball flies at this point, m, of the file before it is
                       ///< turned; NULL: it falls
    double speed;      ///< of the ball, m/s, above 0 (5)
    FrRunDef run;      ///< as for a scene; `scene` and `set` are not used. `out`: NULL:
                       ///< out/<file>-<material>
    int32_t cookie;    ///< set by fr_break_def_default(); do not touch
} FrBreakDef;

/// Radius of the ball, m.
#define FR_BREAK_BALL 0.03

/// It falls from a table 75 cm high, as it stands in its file, in metres, z up.
FR_API FrBreakDef fr_break_def_default(void);

/// Write a scene in which it falls on concrete, or stands there and is hit (`out`/break.json, with
/// the file beside it), run that, and export what it broke into: pieces.usda, pieces/NAME.K.obj.
/// FR_BAD_USE: no brittle material, a place off the body; as fr_job_run.
FR_API FrResult fr_job_break(FrContext *ctx, const FrBreakDef *job, bool json, FrText *summary);

/// What is to ring: a surface, a tet mesh, a scene or a cooked body. Part of those below, whose
/// defaults have it.
typedef struct FrRingDef {
    const char *file;       ///< .obj .ply .stl, .msh .node, .lua .json, .frm
    const char *body;       ///< which of a scene; NULL: the only one
    const char *const *set; ///< for scenes (set_count)
    int32_t set_count;      ///< of them
    double size;            ///< target edge of tets, m; FR_CHOSEN: some hundred cells fill its box
    double unit;            ///< m per unit of the file, above 0 (1)
    bool up_y;              ///< the file has +y up
} FrRingDef;

/// No file yet; in metres, z up.
FR_API FrRingDef fr_ring_def_default(void);

/// How long a tone lasts.
typedef struct FrTone {
    double hz;  ///< above 0
    double t60; ///< s until it is 60 dB weaker, above 0
} FrTone;

/// A blow to be heard. Start from fr_strike_def_default().
typedef struct FrStrikeDef {
    FrRingDef input;             ///< the body that rings
    const char *const *material; ///< names (material_count); none: the scene's or the asset's
    int32_t material_count;      ///< of them
    const FrMaterial *made_of;   ///< its constants, instead of names; NULL: by name
    const FrTone *t60;    ///< instead of the material's damping (t60_count, at most 16); none: that
    int32_t t60_count;    ///< of them
    FrStrikePlace place;  ///< where it is hit
    FrVec3 point;         ///< for FR_STRIKE_POINT, m
    FrMallet mallet;      ///< what hits it
    double speed;         ///< of the mallet, m/s, above 0
    double distance;      ///< of the listener, m, above 0
    double gain;          ///< dB, one for all; at 0 full scale is FR_FULL_SCALE
    FrAir air;            ///< how tones reach the listener (FR_AIR_FULL)
    const char *output;   ///< .wav; NULL: <file>-<material>.wav here
    const char *picture;  ///< spectrogram, .png; NULL: none
    const char *spectrum; ///< which frequencies it has, 0 to 5 kHz, .png; NULL: none
    int32_t cookie;       ///< set by fr_strike_def_default(); do not touch
} FrStrikeDef;

/// A steel mallet at 1 m/s where it is loudest, heard from 1 m.
FR_API FrStrikeDef fr_strike_def_default(void);

/// Hit it once: a WAV for each material, and for several one with all of them at the same gain.
FR_API FrResult fr_job_strike(FrContext *ctx, const FrStrikeDef *job, bool json, FrText *report);

/// A recorded blow, from which a material is fitted. Start from fr_listen_def_default().
typedef struct FrListenDef {
    const char *recording;     ///< .wav: one blow, any rate, PCM or floats
    FrRingDef shape;           ///< the body that was struck
    const char *material;      ///< about what it is made of: density and Poisson's ratio; or
                               ///< `made_of`
    const FrMaterial *made_of; ///< its constants, instead of a name; NULL: by name
    int32_t cookie;            ///< set by fr_listen_def_default(); do not touch
} FrListenDef;

/// In metres, z up.
FR_API FrListenDef fr_listen_def_default(void);

/// Young's modulus and damping of a thing from how it rings when it is struck (S4 section 4): tones
/// of the recording beside modes of the shape, the material that fits, and how sure that is.
FR_API FrResult fr_job_listen(FrContext *ctx, const FrListenDef *job, bool json, FrText *report);

/// Whose radiation is told. Start from fr_radiate_job_def_default().
typedef struct FrRadiateJobDef {
    FrRingDef input;           ///< the body that rings
    const char *material;      ///< of the scene or of the library; NULL: the scene's, or `made_of`
    const FrMaterial *made_of; ///< its constants, instead of a name; NULL: by name
    const char *output;        ///< .json (multipoles) or .png (pictures); NULL: neither
    int32_t modes;             ///< no more than these, above 0, those of which most is heard
    double max_hz;             ///< highest tone, Hz, above 0
    int32_t cookie;            ///< set by fr_radiate_job_def_default(); do not touch
} FrRadiateJobDef;

/// 64 modes up to 20 kHz.
FR_API FrRadiateJobDef fr_radiate_job_def_default(void);

/// How each mode goes out into the air: how much of it, which way, and how long it would ring if
/// nothing else took its energy.
FR_API FrResult fr_job_radiate(FrContext *ctx, const FrRadiateJobDef *job, bool json,
                               FrText *report);

/// What is cooked for real time. Start from fr_bake_def_default().
typedef struct FrBakeDef {
    FrRingDef input;           ///< the body that rings
    const char *material;      ///< of the scene or of the library; NULL: the scene's, or `made_of`
    const FrMaterial *made_of; ///< its constants, instead of a name; NULL: by name
    const char *output;        ///< .frm; NULL: <file>-<material>.frm here
    int32_t modes;  ///< no more than these, above 0, those of which most is heard; INT32_MAX: all
    double max_hz;  ///< highest tone, Hz, above 0
    bool plain;     ///< without how its modes go out into the air
    bool motion;    ///< with how it bends and moves, for fr_motion_load
    int32_t cookie; ///< set by fr_bake_def_default(); do not touch
} FrBakeDef;

/// 64 modes up to 20 kHz.
FR_API FrBakeDef fr_bake_def_default(void);

/// Cook a body for fr_asset_load, and fr_motion_load.
FR_API FrResult fr_job_bake(FrContext *ctx, const FrBakeDef *job, bool json, FrText *report);

/// What of a body that rings can be changed.
typedef enum FrSoundKey {
    FR_SOUND_MATERIAL,  ///< another material, with the modes at hand
    FR_SOUND_T60,       ///< how long tones last
    FR_SOUND_DAMPING,   ///< times `factor`
    FR_SOUND_DENSITY,   ///< likewise
    FR_SOUND_STIFFNESS, ///< likewise
    FR_SOUND_SIZE,      ///< likewise
} FrSoundKey;

/// A change of what bodies are. Set what its key needs. Start from fr_sound_change_def_default().
typedef struct FrSoundChangeDef {
    const char *body;          ///< its name; NULL: all of them
    FrSoundKey key;            ///< what is changed
    double factor;             ///< above 0, at most 1e6
    const char *material;      ///< of the scene or of the library
    const FrMaterial *made_of; ///< its constants, instead of a name; NULL: by name
    const FrTone *t60;         ///< (t60_count, 1 to 16)
    int32_t t60_count;         ///< of them
    int32_t cookie;            ///< set by fr_sound_change_def_default(); do not touch
} FrSoundChangeDef;
FR_API FrSoundChangeDef fr_sound_change_def_default(void); ///< of all bodies, by a factor of 1

/// How it is said which bodies borrow their sound.
typedef enum FrProxyKind {
    FR_PROXY_SHARE, ///< a part of all bodies, the lightest, 0 to 1
    FR_PROXY_ABOVE, ///< those whose lowest tone is above so many Hz
    FR_PROXY_BELOW, ///< those whose longest side is below so many m
} FrProxyKind;

/// Which bodies borrow their sound from a soundbank.
typedef struct FrProxyLimit {
    FrProxyKind kind; ///< what `value` is
    double value;     ///< above 0
} FrProxyLimit;

/// What is sounded anew. Start from fr_sound_def_default().
typedef struct FrSoundDef {
    const char *input;              ///< RUN.fracas, or contacts as .csv or .json
    const char *output;             ///< .wav; NULL: sound.wav beside the input
    const FrVec3 *listener;         ///< m; NULL: the camera, or one metre in front
    double gain;                    ///< dB; FR_CHOSEN: the scene's
    const FrSoundChangeDef *change; ///< one after the other (change_count)
    int32_t change_count;           ///< of them
    const FrAir *air;               ///< how tones reach the listener; NULL: the scene's
    bool no_stems;                  ///< only the mix
    const char *spectrum;           ///< which frequencies it has, 0 to 5 kHz, .png; NULL: none
    const char *bank;   ///< soundbank that bodies borrow from, .frb; "auto": the one that came with
                        ///< the program; NULL: none
    FrProxyLimit proxy; ///< which of them do (all)
    bool compare; ///< without the bank, too: <output>-direct.wav, times, and how far apart they are
    int32_t cookie; ///< set by fr_sound_def_default(); do not touch
} FrSoundDef;

/// As the scene has it, with stems.
FR_API FrSoundDef fr_sound_def_default(void);

/// The sound of a recording or of another engine's contacts: mix, stems/, spectrogram.png.
FR_API FrResult fr_job_sound(FrContext *ctx, const FrSoundDef *job, bool json, FrText *report);

/// What is done with soundbanks.
typedef enum FrSoundbankAct {
    FR_SOUNDBANK_BUILD, ///< made for a material
    FR_SOUNDBANK_MERGE, ///< parts become one file
    FR_SOUNDBANK_PACK,  ///< to the bytes that fr_soundbank_load takes
    FR_SOUNDBANK_INFO,  ///< what one covers
} FrSoundbankAct;

/// Ellipsoids that stand for pieces (fracas/soundbank.h). Start from fr_soundbank_def_default().
typedef struct FrSoundbankDef {
    FrSoundbankAct act;        ///< which of these
    const char *const *file;   ///< banks to merge, pack or tell of (file_count)
    int32_t file_count;        ///< of them; to tell of the one that came with the program: 0
    const char *material;      ///< to build for, of the library; NULL: `made_of`
    const FrMaterial *made_of; ///< its constants; NULL: by name
    const char *output;        ///< .frb; packed: any; of what is told: .png or NULL
    int32_t part, parts;       ///< to build: part 1 to `parts` of the ellipsoids (1, 1)
    double most_mass;          ///< kg; heavier bodies are not covered up to max_hz (0: 0.25)
    double max_hz;             ///< highest tone, Hz (0: 16000)
    int32_t samples;           ///< ellipsoids at most (0: 100)
    bool restart;              ///< throw away what was built there
    int32_t cookie;            ///< set by fr_soundbank_def_default(); do not touch
} FrSoundbankDef;

/// To tell of the bank that came with the program.
FR_API FrSoundbankDef fr_soundbank_def_default(void);

/// Build, merge, pack or tell of soundbanks. A build that was stopped goes on.
FR_API FrResult fr_job_soundbank(FrContext *ctx, const FrSoundbankDef *job, bool json,
                                 FrText *report);

/// What a file is and holds: recording, surface, tet mesh, scene.
FR_API FrResult fr_job_info(FrContext *ctx, const char *path, bool json, FrText *text);
/// How events are listed.
typedef enum FrEventsForm {
    FR_EVENTS_TABLE, ///< cracks and pieces, for people
    FR_EVENTS_JSON,  ///< the same
    FR_EVENTS_CSV    ///< all events, as events.csv
} FrEventsForm;
/// What broke in a recording: each crack (time, place, plane, strength, area, energy held) and each
/// piece (what it broke off, mass, volume, centre).
FR_API FrResult fr_job_events(FrContext *ctx, const char *path, FrEventsForm form, FrText *text);
/// The resolved, complete, replayable form of a scene.
FR_API FrResult fr_job_scene(FrContext *ctx, const FrRunDef *options, FrText *text);
/// All mistakes of a scene; FR_BAD_INPUT when there are some. `text` has them either way.
FR_API FrResult fr_job_check(FrContext *ctx, const FrRunDef *options, bool json, FrText *text);
/// The library as a table, or one material explained (name NULL: all).
FR_API FrResult fr_job_materials(FrContext *ctx, const char *name, bool json, FrText *text);

/// What is timed. Start from fr_bench_def_default().
typedef struct FrBenchDef {
    const char *const *scene; ///< paths (scene_count); none: the kernels, or `papers`
    int32_t scene_count;      ///< of them
    const char *const *set;   ///< for these scenes (set_count); with some there is one row for each
                              ///< scene, without the papers' figures
    int32_t set_count;        ///< of them
    const char *papers; ///< folder of the scenes whose times the papers print; NULL: not these
    const char *film;   ///< of papers: each is run again with recording, pictures and film into
                        ///< this folder, and timed, as the papers' times have it; NULL: not
    double until; ///< s of each, above 0; FR_CHOSEN: all of it, of papers a part in which it breaks
    int32_t cookie; ///< set by fr_bench_def_default(); do not touch
} FrBenchDef;

/// The kernels: numbers as ratios to limits measured in the same run.
FR_API FrBenchDef fr_bench_def_default(void);

/// Time them. Of scenes, without pictures and sound: minutes per simulated second, the papers'
/// where they have the scene, and where the time goes.
FR_API FrResult fr_job_bench(FrContext *ctx, const FrBenchDef *job, bool json, FrText *text);

/// How the scene language is described.
typedef enum FrLanguageForm {
    FR_LANGUAGE_MARKDOWN, ///< reference page
    FR_LANGUAGE_SCHEMA,   ///< JSON Schema
    FR_LANGUAGE_LUA       ///< editor completion
} FrLanguageForm;

/// The scene language itself.
FR_API FrResult fr_job_language(FrContext *ctx, FrLanguageForm form, FrText *text);

FR_EXTERN_C_END
