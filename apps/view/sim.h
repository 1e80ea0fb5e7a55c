// sim.h: the thread that steps a live scene, and the one that opens it. The picture waits for
// neither.
#pragma once
#include "sounds.h"
#include <fracas/live.h>

#define MOST_PARAMS 24
#define MOST_CHOICES 16

/// A knob, copied.
typedef struct SimParam {
    char name[40], help[160], unit[16], word[64];
    bool is_number;
    double value, min, max;
    int choices, choice;
    char choice_text[MOST_CHOICES][64];
} SimParam;

/// What there is to say of the scene; a copy.
typedef struct SimStatus {
    bool ready;   ///< there is a scene
    bool opening; ///< another one is being read and meshed
    bool running;
    bool broken;       ///< it broke down: going back helps
    int32_t opened;    ///< scenes so far: a new one has another camera
    char message[512]; ///< of the last thing that went wrong; "": nothing did
    int32_t messages;  ///< so far
    double speed;      ///< wanted, of real time
    double factor;     ///< reached
    int32_t raw;       ///< bodies whose modes are being made: till then nothing breaks them
    double busy;       ///< wall time for which the present step has been worked on, s
    double step_ms;    ///< wall time of a step, lately
    int64_t tick;
    double t, past; ///< s: now, and up to which it can be scrubbed back
    FrViewpoint from;
    SimParam param[MOST_PARAMS];
    int param_count;
    char scene[512];
} SimStatus;

typedef struct Sim Sim;

Sim *sim_create(Sounds *sounds); ///< sounds NULL: silent
void sim_destroy(Sim *sim);
/// Read and mesh it beside what is there; "a=b" settings (count). `keep`: settings as they were,
/// with these besides.
void sim_open(Sim *sim, const char *scene, const char *const *set, int count, bool keep);
void sim_replay(Sim *sim, const char *path);                 ///< inputs that were saved
void sim_set(Sim *sim, const char *name, const char *value); ///< a param: opens it anew
void sim_reload(Sim *sim);                                   ///< as it is now on the disk

void sim_exact(Sim *sim, bool exact); ///< what is opened: with the models of a run, however slow
void sim_aspect(Sim *sim, double aspect); ///< width / height of what is not under panels
void sim_run(Sim *sim, bool running);
void sim_step(Sim *sim, int32_t steps); ///< then it stands
void sim_speed(Sim *sim, double speed);
void sim_back(Sim *sim, double seconds);
/// What was at time t (s), of the last seconds: while it is looked at nothing is stepped, and it
/// stays valid. NULL: that is not known any more.
const FrMoment *sim_past(Sim *sim, double t);
void sim_go_to(Sim *sim, double t); ///< be there, and go on from there
void sim_reset(Sim *sim);           ///< to the start, without what hands did
void sim_input(Sim *sim, const FrInput *input);
void sim_fields(Sim *sim, bool wanted); ///< snapshots have loads and plastic strains
void sim_save(Sim *sim, const char *path);
/// Inputs into a folder out/session-N that is not there yet, and a film of them in the background.
void sim_film(Sim *sim);

void sim_status(Sim *sim, SimStatus *status);
/// The newest moment; valid until the next call. NULL: none yet.
const FrMoment *sim_moment(Sim *sim);
/// The command line that makes this scene again.
void sim_command(Sim *sim, char *text, size_t room);
