// gl.c: EGL surfaceless, OpenGL 3.3 core; programs, textures, errors.

#include "render/gl.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *egl_error_name(EGLint error) {
    switch (error) {
    case EGL_NOT_INITIALIZED:
        return "EGL_NOT_INITIALIZED (is a driver installed? Debian: libgl1-mesa-dri)";
    case EGL_BAD_ALLOC:
        return "EGL_BAD_ALLOC";
    case EGL_BAD_MATCH:
        return "EGL_BAD_MATCH (OpenGL 3.3 core is not offered)";
    case EGL_SUCCESS:
        return "nothing offered";
    default:
        return "an EGL error";
    }
}

static FrResult no_opengl(FrContext *ctx, const char *step) {
    EGLint error = eglGetError();
    return fr_fail(ctx, FR_FAILED, "no OpenGL: %s: %s (0x%x)", step, egl_error_name(error),
                   (unsigned)error);
}

// epoxy ends the process when it finds no library: look first
static bool library_there(const char *name) {
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (handle) dlclose(handle);
    return handle != NULL;
}

static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) return true;
    return false;
}

// a display of our own count where Mesa offers it, so that two renderers do not end each other's
static EGLDisplay open_display(bool *counts) {
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    bool surfaceless = has_word(client, "EGL_MESA_platform_surfaceless");
    if (!surfaceless || !has_word(client, "EGL_EXT_platform_base"))
        return eglGetDisplay(EGL_DEFAULT_DISPLAY);
    EGLint counted[] = {EGL_TRACK_REFERENCES_KHR, EGL_TRUE, EGL_NONE};
    *counts = has_word(client, "EGL_KHR_display_reference");
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
                                    *counts ? counted : NULL);
}

static FrResult make_context(FrContext *ctx, FrGl *gl) {
    const EGLint config_wish[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_BIT, EGL_NONE};
    const EGLint context_wish[] = {EGL_CONTEXT_MAJOR_VERSION,
                                   3,
                                   EGL_CONTEXT_MINOR_VERSION,
                                   3,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                   EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API)) return no_opengl(ctx, "eglBindAPI");
    if (!eglChooseConfig(gl->display, config_wish, &config, 1, &count) || count < 1)
        return no_opengl(ctx, "eglChooseConfig");
    gl->context = eglCreateContext(gl->display, config, EGL_NO_CONTEXT, context_wish);
    if (gl->context == EGL_NO_CONTEXT) return no_opengl(ctx, "eglCreateContext");
    return fr_gl_use(gl);
}

FrResult fr_gl_open(FrContext *ctx, FrGl *gl) {
    *gl = (FrGl){.ctx = ctx, .display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT};
    if (!library_there("libEGL.so.1"))
        return fr_fail(ctx, FR_FAILED, "no OpenGL: libEGL.so.1 is missing (Debian: libegl1)");
    if (!library_there("libGL.so.1") && !library_there("libOpenGL.so.0"))
        return fr_fail(ctx, FR_FAILED, "no OpenGL: libGL.so.1 is missing (Debian: libgl1)");
    gl->display = open_display(&gl->counted);
    if (gl->display == EGL_NO_DISPLAY) return no_opengl(ctx, "eglGetPlatformDisplay");
    if (!eglInitialize(gl->display, NULL, NULL)) {
        gl->display = EGL_NO_DISPLAY;
        return no_opengl(ctx, "eglInitialize");
    }
    FrResult result = make_context(ctx, gl);
    if (result != FR_OK) fr_gl_close(gl);
    return result;
}

// A display belongs to the whole process: ending one that does not count its users would end the
// contexts of others. It then stays open, which costs a second renderer nothing.
void fr_gl_close(FrGl *gl) {
    if (gl->display != EGL_NO_DISPLAY) {
        if (eglGetCurrentContext() == gl->context)
            eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (gl->context != EGL_NO_CONTEXT) eglDestroyContext(gl->display, gl->context);
        if (gl->counted) eglTerminate(gl->display);
    }
    *gl = (FrGl){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT};
}

FrResult fr_gl_use(FrGl *gl) {
    if (eglGetCurrentContext() == gl->context) return FR_OK;
    if (eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context)) return FR_OK;
    return no_opengl(gl->ctx, "eglMakeCurrent");
}

static FrResult compile(FrContext *ctx, const char *name, GLenum kind, const char *const part[4],
                        GLuint *shader) {
    const char *parts[5] = {"#version 330 core\n", part[0], part[1], part[2], part[3]};
    *shader = glCreateShader(kind);
    glShaderSource(*shader, 5, parts, NULL);
    glCompileShader(*shader);
    GLint fine = 0;
    glGetShaderiv(*shader, GL_COMPILE_STATUS, &fine);
    if (fine) return FR_OK;
    char log[1500] = "";
    glGetShaderInfoLog(*shader, sizeof log, NULL, log);
    return fr_fail(ctx, FR_FAILED, "shader %s does not compile: %s", name, log);
}

static FrResult link(FrContext *ctx, const char *name, GLuint program) {
    static const char *const attribute[3] = {"position", "normal", "value"};
    for (GLuint k = 0; k < 3; k++) glBindAttribLocation(program, k, attribute[k]);
    glLinkProgram(program);
    GLint fine = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &fine);
    if (!fine) {
        char log[1500] = "";
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        return fr_fail(ctx, FR_FAILED, "program %s does not link: %s", name, log);
    }
    GLuint block = glGetUniformBlockIndex(program, "Scene");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
    return FR_OK;
}

FrResult fr_gl_program(FrContext *ctx, const char *common, const FrGlSource *source,
                       GLuint *program) {
    const char *const vertex[4] = {common, "", "", source->vertex};
    const char *const fragment[4] = {source->define, common, source->prelude, source->fragment};
    GLuint shader[2] = {0, 0};
    *program = glCreateProgram();
    FrResult result = compile(ctx, source->name, GL_VERTEX_SHADER, vertex, &shader[0]);
    if (result == FR_OK)
        result = compile(ctx, source->name, GL_FRAGMENT_SHADER, fragment, &shader[1]);
    if (result == FR_OK) {
        glAttachShader(*program, shader[0]);
        glAttachShader(*program, shader[1]);
        result = link(ctx, source->name, *program);
    }
    glDeleteShader(shader[0]);
    glDeleteShader(shader[1]);
    return result;
}

GLuint fr_gl_texture(GLenum format, int32_t width, int32_t height, GLenum filter) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    bool depth = format == GL_DEPTH_COMPONENT24 || format == GL_DEPTH_COMPONENT32F;
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0,
                 depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

FrResult fr_gl_check_target(FrContext *ctx, const char *name) {
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        return fr_fail(ctx, FR_FAILED, "no OpenGL: the %s target is not offered (0x%x)", name,
                       (unsigned)status);
    return fr_gl_check(ctx, name);
}

FrResult fr_gl_check(FrContext *ctx, const char *doing) {
    GLenum error = glGetError();
    if (error == GL_NO_ERROR) return FR_OK;
    if (error == GL_OUT_OF_MEMORY) return fr_no_memory(ctx, doing);
    return fr_fail(ctx, FR_FAILED, "OpenGL error 0x%x: %s", (unsigned)error, doing);
}
