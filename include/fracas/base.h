// fracas/base.h: results, the context with its hooks, and the plain types everything else is made
// of. SI units (m, kg, s, Pa). Right-handed frame, +z up. Conventions: docs/conventions.md
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define FR_EXTERN_C_BEGIN extern "C" {
#define FR_EXTERN_C_END }
#else
#define FR_EXTERN_C_BEGIN
#define FR_EXTERN_C_END
#endif

#if defined(__GNUC__)
#define FR_API __attribute__((visibility("default")))
#define FR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define FR_API
#define FR_PRINTF(fmt, args)
#endif

#define FR_VERSION_MAJOR 0
#define FR_VERSION_MINOR 1
#define FR_VERSION_PATCH 0

FR_EXTERN_C_BEGIN

/// How a call ended. The values are the exit codes of the program.
typedef enum FrResult {
    FR_OK = 0,
    FR_FAILED = 1,        ///< none of the below; the message says what
    FR_BAD_USE = 2,       ///< the caller asked for something that makes no sense
    FR_BAD_INPUT = 3,     ///< a file or a value is wrong; the message says where
    FR_IO = 4,            ///< reading or writing failed, or the disk is full
    FR_NUMERICAL = 5,     ///< the computation broke down; state is kept
    FR_NO_MEMORY = 6,     ///< the allocator refused
    FR_INTERRUPTED = 130, ///< fr_context_cancel was called
} FrResult;

/// A place, a direction or a velocity: three numbers, in the unit that its field says.
typedef struct FrVec3 {
    double x, y, z; ///< +z is up
} FrVec3;

/// 3x3 matrix by columns.
typedef struct FrMat3 {
    FrVec3 c0, c1, c2; ///< columns: M v = c0 v.x + c1 v.y + c2 v.z
} FrMat3;

/// Symmetric 3x3 matrix; tensor components, not engineering shears.
typedef struct FrSym3 {
    double xx, yy, zz; ///< on the diagonal
    double yz, zx, xy; ///< beside it, once each
} FrSym3;

/// Rotation as a unit quaternion, w first.
typedef struct FrQuat {
    double w;       ///< cosine of half the angle
    double x, y, z; ///< unit axis times the sine of half the angle
} FrQuat;

/// Axis-aligned box. Empty when lo > hi.
typedef struct FrBox {
    FrVec3 lo, hi; ///< m
} FrBox;

/// Names a body for as long as its world lives, in events, views and recordings alike. All zeros is
/// null. Ids are never used twice: that of a body that is gone is stale, and refused.
typedef struct FrBodyId {
    int32_t index1; ///< 1-based, so that zero is null
} FrBodyId;

/// A material point: a tet and its four barycentric weights; the same for every model.
typedef struct FrPoint {
    int32_t tet; ///< of the mesh
    double b[4]; ///< weights of its corners; their sum is 1
} FrPoint;

/// How much a note matters.
typedef enum FrLogLevel { FR_LOG_DEBUG, FR_LOG_INFO, FR_LOG_WARNING } FrLogLevel;

/// Memory comes from here. resize(NULL, n) allocates, resize(p, 0) frees and returns NULL,
/// resize(p, n) moves; NULL for n > 0 means no memory, and p stays valid. Called from any thread.
typedef struct FrAllocator {
    void *(*resize)(void *user, void *ptr, size_t size); ///< size: bytes
    void *user;                                          ///< handed to resize
} FrAllocator;

/// One piece of parallel work. `worker` is in [0, workers).
typedef void FrTaskFn(void *arg, int32_t index, int32_t worker);

/// Runs task(arg, i, worker) for every i in [0, count), in any order, and returns when all are
/// done.
typedef struct FrTasks {
    void (*run)(void *user, int32_t count, FrTaskFn *task, void *arg); ///< as above
    void *user;                                                        ///< handed to run
    int32_t workers; ///< threads that call tasks, the caller of run among them
} FrTasks;

/// System calls of the crash-safe writer, so that a test can make the k-th one fail. NULL fields:
/// libc.
typedef struct FrFileCalls {
    long (*write)(void *user, int fd, const void *bytes, size_t size); ///< as write(2)
    int (*sync)(void *user, int fd);                                   ///< as fsync(2)
    int (*rename)(void *user, const char *from, const char *to);       ///< as rename(2)
    void *user;                                                        ///< handed to all three
} FrFileCalls;

/// Solvers that the runtime leaves to others, for they bring big libraries along: factors of sparse
/// matrices, and eigenvalues. fr_studio_backend() (fracas/studio.h) gives one.
typedef struct FrBackend FrBackend;

/// What a host may replace. Start from fr_context_def_default(), then change fields.
typedef struct FrContextDef {
    FrAllocator allocator; ///< resize == NULL: realloc and free
    FrTasks tasks;     ///< run == NULL: an own pthread pool of `workers` threads (0: one per core)
    FrFileCalls files; ///< all NULL: libc
    const FrBackend *backend; ///< borrowed; NULL: none, and calls that need one say so
    void (*log)(void *user, FrLogLevel level, const char *text);                ///< NULL: silent
    void (*progress)(void *user, const char *stage, double done, double total); ///< NULL: none
    /// Called for a caller's bug: where, which condition did not hold, what to do instead. NULL, or
    /// when it returns: the call answers FR_BAD_USE, or does nothing. It may leave by longjmp,
    /// throw or exit; what was made with this context must not be used after that. A bug of this
    /// library that is found so is printed to stderr, and ends in abort().
    void (*assert_failed)(void *user, const char *file, int line, const char *condition,
                          const char *advice);
    void *user;     ///< handed to log, progress and assert_failed
    int32_t cookie; ///< set by fr_context_def_default(); do not touch
} FrContextDef;

/// Everything that would otherwise be global. Two contexts know nothing of each other.
typedef struct FrContext FrContext;

/// malloc, one worker per core, silent.
FR_API FrContextDef fr_context_def_default(void);

/// NULL when memory or threads are not to be had, or the def is not from fr_context_def_default().
FR_API FrContext *fr_context_create(const FrContextDef *def);

/// Accepts NULL.
FR_API void fr_context_destroy(FrContext *ctx);

/// The message of the last call that did not return FR_OK. Never NULL. Valid until the next
/// failure.
FR_API const char *fr_context_message(const FrContext *ctx);

/// Ask the running call to stop at the next good place. Safe in a signal handler.
FR_API void fr_context_cancel(FrContext *ctx);

/// Forget an earlier fr_context_cancel.
FR_API void fr_context_resume(FrContext *ctx);

/// Was fr_context_cancel called?
FR_API bool fr_context_cancelled(const FrContext *ctx);

/// How many threads share parallel work, the caller among them.
FR_API int32_t fr_context_workers(const FrContext *ctx);

/// "ok", "bad input", ...
FR_API const char *fr_result_name(FrResult result);

/// "0.1.0". Static.
FR_API const char *fr_version(void);

FR_EXTERN_C_END
