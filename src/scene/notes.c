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

void fr_scene_problem(FrProblems *problems, const FrScene *scene, const void *part,
                      const void *owner, const char *format, ...) {
    char what[800];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const FrSceneNote *note = find(scene, part);
    if (!note) note = find(scene, owner);
    FrPath path = {NULL, note ? note->path : NULL, 0};
    FrPlace whole = {scene->file, 0, 0};
    fr_problem(problems, note ? note->place : whole, note ? &path : NULL, "%s", what);
}
