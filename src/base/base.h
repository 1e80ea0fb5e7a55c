// base.h: failing with a message, asserting, allocating, logging; what every file of every room
// needs.
#pragma once
#include "fracas/base.h"
#include <stdarg.h>

#define FR_COOKIE 0x46524143

/// A caller's bug: say what to do instead. The context's handler
/// gets it (FrContextDef.assert_failed).
#define FR_ASSERT_IN(ctx, condition, advice)                                                       \
    ((condition) ? (void)0 : fr_assert_failed((ctx), __FILE__, __LINE__, #condition, (advice)))
/// Where no context is at hand: printed, and the process ends.
#define FR_ASSERT(condition, advice) FR_ASSERT_IN(NULL, condition, advice)
_Noreturn void fr_assert_failed(const FrContext *ctx, const char *file, int line,
                                const char *condition, const char *advice);

/// A bug of whoever calls a public function: the context's handler gets it; where it comes back, or
/// there is none, the function returns FR_BAD_USE.
#define FR_NEED(ctx, condition, advice)                                                            \
    do {                                                                                           \
        if (!(condition)) return fr_misused((ctx), __FILE__, __LINE__, #condition, (advice));      \
    } while (0)
/// The same for arguments that must not be NULL.
#define FR_NEED_ALL(ctx, all) FR_NEED(ctx, all, "give what must not be NULL")
FrResult fr_misused(FrContext *ctx, const char *file, int line, const char *condition,
                    const char *advice);

/// Return from the caller when a call did not succeed.
#define FR_TRY(call)                                                                               \
    do {                                                                                           \
        FrResult fr_try_result_ = (call);                                                          \
        if (fr_try_result_ != FR_OK) return fr_try_result_;                                        \
    } while (0)

/// Set the message and return `result`: return fr_fail(ctx, FR_BAD_INPUT, "%s:%d: ...", ...).
/// Not from inside a parallel task.
FrResult fr_fail(FrContext *ctx, FrResult result, const char *format, ...) FR_PRINTF(3, 4);

/// Put words before the present message: "bodies[3].shape: " + message. Returns `result`.
FrResult fr_fail_within(FrContext *ctx, FrResult result, const char *format, ...) FR_PRINTF(3, 4);

void fr_log(FrContext *ctx, FrLogLevel level, const char *format, ...) FR_PRINTF(3, 4);
/// Whom the next notes are about: "bowl" goes before them. NULL: nobody. Borrowed.
void fr_log_about(FrContext *ctx, const char *subject);
/// Someone who hears all notes besides the host; NULL: nobody.
void fr_log_listen(FrContext *ctx, void (*hear)(void *user, FrLogLevel level, const char *text),
                   void *user);
/// Notes that were reported before do not reach the host until this is taken back; warnings do.
void fr_log_hush(FrContext *ctx, bool hushed);
/// Nothing at all is logged: while a file is read that was read, and warned about, before.
void fr_log_mute(FrContext *ctx, bool muted);
void fr_progress(FrContext *ctx, const char *stage, double done, double total);

/// NULL for failure (no message set: the caller returns fr_no_memory(ctx, what)).
/// Sizes of zero give a valid pointer.
void *fr_alloc(FrContext *ctx, size_t size);
void *fr_alloc_zero(FrContext *ctx, size_t count, size_t size);
void *fr_resize(FrContext *ctx, void *ptr, size_t size);
void fr_free(FrContext *ctx, void *ptr);
/// Several in a row.
void fr_free_all(FrContext *ctx, void *const *list, size_t count);
#define FR_FREE_ALL(ctx, ...)                                                                      \
    fr_free_all(ctx, (void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
char *fr_strdup(FrContext *ctx, const char *text);
FrResult fr_no_memory(FrContext *ctx, const char *what);

/// p = FR_NEW(ctx, T, n): n zeroed T, overflow checked.
#define FR_NEW(ctx, T, n) ((T *)fr_alloc_zero((ctx), (size_t)(n), sizeof(T)))

const FrFileCalls *fr_context_files(const FrContext *ctx);
const FrTasks *fr_context_tasks(const FrContext *ctx);
/// NULL: none. Those who need one ask fr_backend_of (sparse/solver.h).
const FrBackend *fr_context_backend(const FrContext *ctx);
/// Borrowed.
void fr_context_set_backend(FrContext *ctx, const FrBackend *backend);

static inline int32_t fr_min_i(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t fr_max_i(int32_t a, int32_t b) { return a > b ? a : b; }
/// Plain comparisons: one rounding-free answer, no libm, no sign-of-zero surprises between
/// compilers.
static inline double fr_min(double a, double b) { return a < b ? a : b; }
static inline double fr_max(double a, double b) { return a > b ? a : b; }
static inline double fr_clamp(double x, double lo, double hi) {
    return x < lo ? lo : x > hi ? hi : x;
}
