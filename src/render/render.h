// render.h: pictures and films of frames: a renderer without a window, a camera that finds the
// action, PNG, contact sheets, MP4.
//
// Everything here is deterministic: the same frame, camera and options give the same bytes on the
// same machine and Mesa build. Pictures are 8-bit RGBA, sRGB, rows from the top, alpha 255.
#pragma once
#include "base/base.h"
#include "event/grains.h"
#include "fracas/frame.h"
#include "render/image.h"

/// Most places that a camera goes through.
#define FR_CAMERA_STOPS 96

typedef struct FrCameraStop {
    double t;   ///< s
    FrVec3 eye; ///< m
} FrCameraStop;

typedef struct FrCamera {
    FrVec3 eye, target; ///< m
    FrVec3 up;          ///< need not be normal to the view
    double fov;         ///< vertical opening, radians
    double orbit;       ///< turn about the upright axis through `target`, rad/s; 0: fixed
    int32_t stop_count; ///< 0: it does not travel
    FrCameraStop stop[FR_CAMERA_STOPS]; ///< where the eye is when, straight between; `target` goes
                                        ///< along, so that the view does not turn. t ascends
} FrCamera;

/// A string between points of two bodies. It hangs through when they are nearer than it is long.
typedef struct FrDrawCord {
    int32_t body[2]; ///< of the frame; -1: the world
    FrVec3 at[2];    ///< ends in the bodies' own axes, m
    double length;   ///< m
} FrDrawCord;

/// Where a body began: a point x of its mesh was at rotation * x + position.
typedef struct FrDrawStart {
    bool known;
    FrVec3 position; ///< m
    FrMat3 rotation;
} FrDrawStart;

/// A straight line in the world, m.
typedef struct FrDrawStroke {
    FrVec3 from, to;
} FrDrawStroke;

/// Start from fr_render_options_default(), then change fields.
typedef struct FrRenderOptions {
    FrShow show;
    double stress_max;              ///< top of the stress colours, Pa; 0: from the frame itself
    double crack_first, crack_last; ///< ends of the crack colours, s; equal: from the frame itself
    double shrink;                  ///< tets: size of the drawn tets, (0, 1]
    FrVec3 cut;      ///< tets: the half of each body on this side is left out; 0: towards the eye
    double exposure; ///< 1: metered from the floor
    bool time_stamp; ///< write the time into the lower left corner
    bool time_in_ms; ///< in ms instead of s
    bool legend;     ///< stress, cracks: colour bar with its range
    const FrDrawCord *cord; ///< (cord_count) borrowed
    int32_t cord_count;
    const FrGrains *grains;   ///< of dust; borrowed; NULL: none
    const FrDrawStart *start; ///< rest, wire: where bodies are put (start_count) borrowed; those
                              ///< that are not known are left out. NULL: where their meshes are
    int32_t start_count;
    const FrDrawStroke *stroke; ///< paths (stroke_count) borrowed
    int32_t stroke_count;
    FrBodyId lit; ///< a body that is drawn brighter; null: none
} FrRenderOptions;

FrRenderOptions fr_render_options_default(void);

/// Start from fr_renderer_def_default(), then change fields.
typedef struct FrRendererDef {
    int32_t width, height;   ///< pixels, 16 to 8192
    int32_t samples;         ///< per pixel for smooth edges: 1, 2, 4, 8
    int32_t shadow_size;     ///< texels of the square shadow map, 256 to 8192
    int32_t occlusion_scale; ///< 1: shadows and occlusion at full size (stills), 2: at half (films)
    bool adopt;              ///< with the context that is current; else with one of its own
    bool fast;               ///< hard shadows, no occlusion, glass that bends no light
} FrRendererDef;

FrRendererDef fr_renderer_def_default(void); ///< 1280 x 720 for films
FrRendererDef fr_renderer_def_still(int32_t width, int32_t height);

/// An off-screen OpenGL context with its programs and buffers. Use it from one thread at a time.
typedef struct FrRenderer FrRenderer;

/// FR_FAILED "no OpenGL: ..." where there is none.
FrResult fr_renderer_create(FrContext *ctx, const FrRendererDef *def, FrRenderer **renderer);
void fr_renderer_destroy(FrRenderer *renderer); ///< accepts NULL
/// Another size, other samples, fast or not; `adopt` stays.
FrResult fr_renderer_change(FrRenderer *renderer, const FrRendererDef *def);
/// Make its context the thread's.
FrResult fr_renderer_use(FrRenderer *renderer);
FrContext *fr_renderer_context(const FrRenderer *renderer);
void fr_renderer_size(const FrRenderer *renderer, int32_t *width, int32_t *height);

/// Where the light of every picture comes from: unit, world axes.
FrVec3 fr_film_sun(void);

/// Draw one frame into rgba (4 * width * height bytes).
FrResult fr_render_frame(FrRenderer *renderer, const FrFrameView *view, const FrCamera *camera,
                         const FrRenderOptions *options, uint8_t *rgba);

/// Draw one frame and leave it where it is shown: in framebuffer 0 of an adopted context, else in a
/// picture of its own.
FrResult fr_render_present(FrRenderer *renderer, const FrFrameView *view, const FrCamera *camera,
                           const FrRenderOptions *options);
/// Bind the framebuffer that shows it.
void fr_renderer_bind_shown(FrRenderer *renderer);
/// What it shows now: rows from the top, alpha 255.
FrResult fr_renderer_read(FrRenderer *renderer, uint8_t *rgba);
/// What the last frame took.
typedef struct FrRenderCost {
    int32_t calls;    ///< draw calls
    int64_t uploaded; ///< bytes
    double scale;     ///< what the top of the colours stood for
} FrRenderCost;
FrRenderCost fr_renderer_cost(const FrRenderer *renderer);

/// A slightly raised three-quarter view that holds the whole action, from the first frame on (what
/// flies so far that bodies would be specks may leave, and so may light pieces of a broken body
/// that are twice as far out as the rest; crumbs of a body that broke to bodies do not count).
/// `poster`: the frame that has to look best (-1: fr_poster_frame picks it).
FrResult fr_camera_auto(FrContext *ctx, const FrFrameSource *source, double aspect, int32_t poster,
                        FrCamera *camera);
/// The same for a single frame.
FrResult fr_camera_auto_view(FrContext *ctx, const FrFrameView *view, double aspect,
                             FrCamera *camera);
/// What is known of a camera that follows.
typedef struct FrCameraWish {
    double aspect;    ///< width / height
    double fov;       ///< opening, vertical, rad
    int32_t poster;   ///< as above
    const char *body; ///< what it follows, with what that broke to; NULL: all that acts
} FrCameraWish;
/// The same, but the camera travels: at any time it is where what happens around that time fills
/// the picture, and all bodies are seen. What acts takes a third of the height or more, if its
/// width lets it. `eye` and `target` stand still. FR_BAD_USE: no body is called so.
FrResult fr_camera_follow(FrContext *ctx, const FrFrameSource *source, FrCameraWish wish,
                          FrCamera *camera);
/// Opening of a camera where none is asked for, rad.
#define FR_CAMERA_FOV (32.0 * 3.14159265358979323846 / 180.0)
/// The camera at time t, s: at its place, turned by orbit * t.
FrCamera fr_camera_at(const FrCamera *camera, double t);
/// Where a point is seen: x, y in pixels from the upper left corner, z the distance along the view,
/// m.
FrVec3 fr_camera_project(const FrCamera *camera, int32_t width, int32_t height, FrVec3 point);

/// The frame that shows the most: the hardest blow after the first touch, or its pieces a moment
/// later if bodies came of it, or else the middle.
FrResult fr_poster_frame(FrContext *ctx, const FrFrameSource *source, int32_t *frame);

/// A round number (1, 2, 5 times a power of ten, Pa) at or above the 95th percentile of the stress
/// in the source.
FrResult fr_stress_range(FrContext *ctx, const FrFrameSource *source, double *stress_max);

/// When the first and the last face of the source's last frame opened, s; equal where nothing
/// broke.
FrResult fr_crack_range(const FrFrameSource *source, double *first, double *last);

/// Write a picture; the old file or the new one, never half. No time stamps inside.
FrResult fr_png_write(FrContext *ctx, const char *path, int32_t width, int32_t height,
                      const uint8_t *rgba);

/// Frame `k` of the source as a PNG of the renderer's size.
FrResult fr_picture_render(FrRenderer *renderer, const FrFrameSource *source, int32_t k,
                           const FrCamera *camera, const FrRenderOptions *options,
                           const char *path);

/// How many pictures a sheet has.
typedef struct FrSheetGrid {
    int32_t columns, rows;
} FrSheetGrid;
/// columns x rows frames, evenly spaced from the first to the last, each of the renderer's size
/// with its time, in one PNG.
FrResult fr_sheet_render(FrRenderer *renderer, const FrFrameSource *source, const FrCamera *camera,
                         const FrRenderOptions *options, FrSheetGrid grid, const char *path);

/// Start from fr_film_def_default(), then change fields.
typedef struct FrFilmDef {
    int32_t width, height; ///< pixels, even
    double fps;            ///< of the film
    int32_t crf;           ///< H.264 quality, 0 (lossless) to 51
    const char *wav;       ///< sound track, or NULL; becomes AAC 48 kHz
    const char *program;   ///< NULL: "ffmpeg" from the PATH
    FrImage strip;         ///< drawn over the foot of every frame, as wide as the film, with a line
                           ///< that goes from left to right once; width 0: none. Borrowed
} FrFilmDef;

FrFilmDef fr_film_def_default(void);

/// A film being encoded by ffmpeg beside its final name.
typedef struct FrFilm FrFilm;

FrResult fr_film_begin(FrContext *ctx, const char *path, const FrFilmDef *def, FrFilm **film);
/// FR_FAILED with ffmpeg's own words when it stopped.
FrResult fr_film_add(FrFilm *film, const uint8_t *rgba);
/// Finish and put the film in place. Releases `film` either way.
FrResult fr_film_commit(FrFilm *film);
/// Throw it away. Accepts NULL.
void fr_film_abort(FrFilm *film);

/// Every frame of the source as a film. Width and height of `def` are ignored: the renderer's
/// count. FR_INTERRUPTED after fr_context_cancel; nothing is left behind then.
FrResult fr_film_render(FrRenderer *renderer, const FrFrameSource *source, const FrCamera *camera,
                        const FrRenderOptions *options, const FrFilmDef *def, const char *path);
