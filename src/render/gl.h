// gl.h: an OpenGL context without a window, and the few things made with it that can fail.
#pragma once
#include "base/base.h"
#include <epoxy/egl.h>
#include <epoxy/gl.h>

typedef struct FrGl {
    FrContext *ctx;
    EGLDisplay display;
    EGLContext context;
    bool counted; ///< the display counts its users: ours may be ended
} FrGl;

/// FR_FAILED "no OpenGL: ..." says which step did not work. The context is current afterwards.
FrResult fr_gl_open(FrContext *ctx, FrGl *gl);
/// Fine on a zeroed or half-open one.
void fr_gl_close(FrGl *gl);
/// Make it the thread's context.
FrResult fr_gl_use(FrGl *gl);

/// Texts of a program. The fragment gets define and prelude in front.
typedef struct FrGlSource {
    const char *name, *define, *vertex, *prelude, *fragment;
} FrGlSource;

/// Compile and link. Both stages get `common` in front. The block "Scene" is bound to slot 0.
FrResult fr_gl_program(FrContext *ctx, const char *common, const FrGlSource *source,
                       GLuint *program);

/// A 2-D texture without mip maps, clamped at the edge.
GLuint fr_gl_texture(GLenum format, int32_t width, int32_t height, GLenum filter);

/// FR_FAILED when the bound framebuffer cannot be drawn to, or OpenGL reported an error.
FrResult fr_gl_check_target(FrContext *ctx, const char *name);
FrResult fr_gl_check(FrContext *ctx, const char *doing);
