// browser.c: which scene? Those of a folder, with a picture of each, and its first line as a hint.

#include "thumbs.h"
#include "view.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SCENES 128
/// Width of a picture, em.
#define CARD 12.0f

typedef struct Row {
    char path[512], name[128], about[200];
} Row;

static Row row[MOST_SCENES];
static int rows = -1;

static int by_name(const void *a, const void *b) {
    return strcmp(((const Row *)a)->path, ((const Row *)b)->path);
}

// "-- bowl.lua: a bowl falls." without its name
static void read_about(Row *r) {
    char line[256] = "";
    FILE *file = fopen(r->path, "rb");
    if (!file) return;
    if (!fgets(line, sizeof line, file)) line[0] = 0;
    fclose(file);
    line[strcspn(line, "\r\n")] = 0;
    const char *colon = strstr(line, ": ");
    char *command = strstr(line, "   fracas ");
    if (command) *command = 0;
    snprintf(r->about, sizeof r->about, "%s", colon ? colon + 2 : "");
}

static void read_folder(const char *folder, const char *prefix) {
    DIR *dir = opendir(folder);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e && rows < MOST_SCENES; e = readdir(dir)) {
        size_t length = strlen(e->d_name);
        if (length < 5 || strcmp(e->d_name + length - 4, ".lua") != 0) continue;
        Row *r = &row[rows++];
        snprintf(r->path, sizeof r->path, "%.200s/%.255s", folder, e->d_name);
        snprintf(r->name, sizeof r->name, "%s%.*s", prefix,
                 (int)(length - 4 > 90 ? 90 : length - 4), e->d_name);
        read_about(r);
    }
    if (dir) closedir(dir);
}

static void read_all(void) {
    rows = 0;
    char *base = SDL_GetBasePath(), beside[400];
    snprintf(beside, sizeof beside, "%.300s../scenes", base ? base : "");
    SDL_free(base);
    DIR *here = opendir("scenes");
    if (here) closedir(here);
    const char *folder = here ? "scenes" : beside;
    char papers[512];
    snprintf(papers, sizeof papers, "%.400s/papers", folder);
    read_folder(folder, "");
    read_folder(papers, "papers/");
    qsort(row, (size_t)rows, sizeof *row, by_name);
}

bool browser_show(View *v) {
    if (rows < 0) {
        static const char *path[MOST_SCENES];
        read_all();
        for (int k = 0; k < rows; k++) path[k] = row[k].path;
        thumbs_want(path, rows);
    }
    float em = ui_em(), height = 0.88f * (float)v->height;
    float width = fminf(0.94f * (float)v->width, 68.0f * em);
    float box[4] = {0.5f * ((float)v->width - width), 0.04f * (float)v->height, width, height};
    bool chosen = false;
    if (ui_panel("scenes", box, false)) {
        ui_strong("Which scene?");
        ui_dim(rows ? "Click one, or: fracas view SCENE.lua, fracas view RUN.fracas"
                    : "There is no folder scenes here: fracas view SCENE.lua");
        ui_gap(0.3f);
        int across = (int)((width - 1.6f * em) / (CARD * em + 0.8f * em));
        for (int k = 0; k < rows; k++) {
            if (ui_card(thumbs_texture(k), row[k].name, CARD, CARD * THUMB_HEIGHT / THUMB_WIDTH)) {
                sim_open(v->sim, row[k].path, NULL, 0, false);
                chosen = true;
            }
            ui_tip(row[k].about);
            if ((k + 1) % across && k + 1 < rows) ui_beside(0.8f);
        }
    }
    ui_panel_end();
    return chosen;
}
