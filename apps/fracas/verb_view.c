// verb_view.c: `fracas view` starts fracas-view, which is beside this program or on the path: so
// this one needs no window's libraries.

#include "verbs.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void beside(char path[4096]) {
    ssize_t length = readlink("/proc/self/exe", path, 4000);
    path[length > 0 ? length : 0] = 0;
    char *slash = strrchr(path, '/');
    snprintf(slash ? slash + 1 : path, 32, "fracas-view");
}

int view_main(char **argv) {
    char path[4096];
    beside(path);
    argv[0] = path;
    execv(path, argv);
    char name[] = "fracas-view";
    argv[0] = name;
    execvp(name, argv);
    fprintf(stderr,
            "fracas view: fracas-view cannot be started (%s); `make play` builds it. A film "
            "instead: fracas run SCENE\n",
            strerror(errno));
    return FR_FAILED;
}
