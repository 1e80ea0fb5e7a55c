// notes.c: keeps the places of a scene's parts and finds them again.

#include "scene/notes.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_FILE "(default)"

bool fr_note_part(FrScene *scene, FrArena *arena, const void *part, FrPlace place,
                  const FrPath *path) {
    char text[300];
    if (!place.file || !strcmp(place.file, DEFAULT_FILE)) return true;
    const FrSceneNote *last = scene->notes;
    const char *file = last && !strcmp(last->place.file, place.file)
                           ? last->place.file
                           : fr_arena_text(arena, place.file, strlen(place.file));
    fr_path_print(path, text, sizeof text);
    const char *kept = fr_arena_text(arena, text, strlen(text));
    FrSceneNote *note = FR_ARENA_NEW(arena, FrSceneNote, 1);
    if (!file || !kept || !note) return false;
    *note = (FrSceneNote){part, {file, place.line, place.column}, kept, last};
    scene->notes = note;
    return true;
}

// The oldest note of an address: a region at the front of its fix is read, and noted, before it.
static const FrSceneNote *find(const FrScene *scene, const void *part) {
    const FrSceneNote *found = NULL;
    for (const FrSceneNote *note = part ? scene->notes : NULL; note; note = note->next)
        if (note->part == part) found = note;
    return found;
}

/// Where a part of a scene was written.
typedef struct Where {
    FrPlace place;
    FrPath path;
    bool known;
} Where;

static Where where_is(const FrScene *scene, const void *part, const void *owner) {
    const FrSceneNote *note = find(scene, part);
    if (!note) note = find(scene, owner);
    if (!note) return (Where){.place = {scene->file, 0, 0}};
    return (Where){note->place, {NULL, note->path, 0}, true};
}

void fr_scene_problem(FrProblems *problems, const FrScene *scene, const void *part,
                      const void *owner, const char *format, ...) {
    char what[FR_PROBLEM_WHAT];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    Where at = where_is(scene, part, owner);
    fr_problem(problems, at.place, at.known ? &at.path : NULL, "%s", what);
}

void fr_scene_warning(FrContext *ctx, const FrScene *scene, const void *part, const void *owner,
                      const char *format, ...) {
    char what[FR_PROBLEM_WHAT], line[FR_PROBLEM_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    Where at = where_is(scene, part, owner);
    fr_log(ctx, FR_LOG_WARNING, "%s",
           fr_problem_print(at.place, at.known ? &at.path : NULL, what, line));
}
