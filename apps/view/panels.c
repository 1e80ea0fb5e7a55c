// panels.c: what stands beside the scene: time, tools, params, the picked body, colours, plots.

#include "view.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const shows[] = {"surface",    "stress", "tets cut open", "cracks by time",
                                    "separation", "pieces", "speed",         "heat"};

// a number with its unit, as people write it: 60 kPa, 12 cm, 3.5 ms
static void value_text(double value, const char *unit, char text[48]) {
    static const char *const prefix[] = {"u", "m", "", "k", "M", "G"};
    double size = fabs(value);
    int k = 2;
    if (!strcmp(unit, "m") && size < 1.0 && size >= 0.01) {
        snprintf(text, 48, "%.3g cm", 100.0 * value);
        return;
    }
    bool prefixed = !strcmp(unit, "Pa") || !strcmp(unit, "m") || !strcmp(unit, "s") ||
                    !strcmp(unit, "Hz") || !strcmp(unit, "N") || !strcmp(unit, "J");
    while (prefixed && k < 5 && size >= 1000.0) size /= 1000.0, value /= 1000.0, k++;
    while (prefixed && k > 0 && size > 0.0 && size < 1.0) size *= 1000.0, value *= 1000.0, k--;
    snprintf(text, 48, "%.4g %s%s", value, prefix[k], strcmp(unit, "any") ? unit : "");
}

static int slider(const char *label, double *value, const double range[2], const char *unit) {
    char text[48];
    value_text(*value, unit, text);
    return ui_slider(label, value, range, text, range[0] > 0.0 && range[1] / range[0] > 50.0);
}

// --- time

static void speed_text(double speed, char text[24]) {
    if (speed < 0.9)
        snprintf(text, 24, "1/%.3g x", 1.0 / speed);
    else
        snprintf(text, 24, "%.3g x", speed);
}

static void speed_slider(double *speed) {
    static const double range[2] = {1.0 / 2000.0, 4.0};
    char text[24];
    speed_text(*speed, text);
    ui_slider("speed", speed, range, text, true);
    ui_tip("how fast time goes by, next to real time (+ and -)");
}

static void live_buttons(View *v) {
    SimStatus *s = &v->status;
    if (ui_button(s->running ? "Pause##run" : "Run##run", !s->running, 4.6f))
        sim_run(v->sim, !s->running);
    ui_tip("Space");
    ui_beside(0.4f);
    if (ui_button("Step", false, 0)) sim_step(v->sim, 1);
    ui_tip("one macro step (.)");
    ui_beside(0.4f);
    if (ui_button("Back", false, 0)) sim_back(v->sim, 0.25);
    ui_tip("a quarter of a second (B); Shift+B: two seconds");
    ui_beside(0.4f);
    if (ui_button("Reset", false, 0)) sim_reset(v->sim), v->nails.count = 0;
    ui_tip("to the start, without what hands did (R)");
}

static void factor_text(const View *v) {
    const SimStatus *s = &v->status;
    char text[96];
    double t = v->moment ? v->moment->view.t : 0.0;
    if (s->opening)
        snprintf(text, sizeof text, "%.3f s    reading and meshing ...", t);
    else if (s->raw > 0 && s->tick == 0)
        snprintf(text, sizeof text, "finding out how %d bod%s break%s ...", s->raw,
                 s->raw == 1 ? "y" : "ies", s->raw == 1 ? "s" : "");
    else if (s->busy > 0.7)
        snprintf(text, sizeof text, "%.3f s    a long step: %.0f s so far", t, s->busy);
    else if (s->running)
        snprintf(text, sizeof text, "%.3f s    %.3g x real time", t, s->factor);
    else
        snprintf(text, sizeof text, "%.3f s    paused", t);
    ui_strong(text);
    ui_tip(
        "simulated time, and how fast it goes by: 1 is real time. Before the first step, modes of "
        "what shatters are computed; the same shapes break at once the next time");
}

// while it is dragged, copies are shown; where it is let go the scene goes on from
static void scrub(View *v) {
    const SimStatus *s = &v->status;
    char text[24];
    double t = v->scrub.on ? v->scrub.t : s->t, range[2] = {s->past, s->t};
    if (!(range[1] - range[0] > 1e-6)) range[0] = range[1] - 1e-6;
    snprintf(text, sizeof text, "%+.2f s", t - s->t);
    int how = ui_slider("time", &t, range, text, false);
    ui_tip("back through the last seconds; it goes on from where you let go");
    if (how) v->scrub.on = true, v->scrub.t = t;
    if (how == 2) v->scrub.on = false, sim_go_to(v->sim, t);
}

static void live_bar(View *v) {
    float box[4] = {0.6f * ui_em(), 0.6f * ui_em(), 17.5f * ui_em(), 0};
    if (ui_panel("time", box, false)) {
        double speed = v->status.speed;
        live_buttons(v);
        factor_text(v);
        speed_slider(&speed);
        if (speed != v->status.speed) sim_speed(v->sim, speed);
        scrub(v);
    }
    ui_panel_end();
}

static void player_bar(View *v) {
    Player *p = &v->player;
    float em = ui_em(), width = (float)v->width - 1.2f * em;
    float box[4] = {0.6f * em, (float)v->height - 6.2f * em, width, 0};
    char text[64];
    if (ui_panel("player", box, false)) {
        if (ui_button(p->playing ? "Pause##play" : "Play##play", !p->playing, 4.6f))
            p->playing = !p->playing;
        ui_tip("Space");
        ui_beside(0.6f);
        snprintf(text, sizeof text, "%.3f s of %.3f s", p->t, playing_length(v));
        ui_strong(text);
        double range[2] = {0.0, fmax(playing_length(v), 1e-6)}, t = p->t;
        if (ui_slider("time", &t, range, text, false)) p->playing = false, playing_seek(v, t);
        speed_slider(&p->speed);
    }
    ui_panel_end();
}

// --- tools

static void material_choice(const char *label, int *chosen) {
    static const char *name[256];
    int count = fr_material_count() < 256 ? fr_material_count() : 256;
    for (int k = 0; k < count; k++) name[k] = fr_material_name(k);
    ui_choice(label, chosen, name, count);
}

static void tool_settings(View *v) {
    static const double force[2] = {0.05, 20}, speed[2] = {0.1, 20}, size[2] = {0.005, 2},
                        flight[2] = {0.5, 60};
    static const char *shape[16];
    int shapes = 0;
    while (shapes < 16 && fr_live_shape(shapes)) shape[shapes] = fr_live_shape(shapes), shapes++;
    if (v->tool == PULL) slider("strength", &v->set.strength, force, "x");
    if (v->tool == STRIKE) slider("mallet", &v->set.mallet, speed, "m/s");
    if (v->tool == SHOOT) {
        slider("ball", &v->set.ball_size, size, "m");
        slider("speed", &v->set.ball_speed, flight, "m/s");
        material_choice("of", &v->set.ball_material);
    }
    if (v->tool == DROP) {
        ui_choice("shape", &v->set.drop_shape, shape, shapes);
        slider("size", &v->set.drop_size, size, "m");
        material_choice("of", &v->set.drop_material);
    }
}

static void tool_panel(View *v) {
    float em = ui_em(), box[4] = {0.6f * em, 9.3f * em, 17.5f * em, 0};
    char label[32];
    if (ui_panel("tools", box, false)) {
        for (int k = 0; k < TOOLS; k++) {
            snprintf(label, sizeof label, "%s##tool%d", tool_name((Tool)k), k);
            if (ui_button(label, v->tool == (Tool)k, 5.0f)) v->tool = (Tool)k;
            snprintf(label, sizeof label, "%d", k + 1);
            ui_tip(label);
            if (k % 3 < 2) ui_beside(0.35f);
        }
        ui_gap(0.1f);
        ui_dim(tool_hint(v->tool));
        tool_settings(v);
    }
    ui_panel_end();
}

// --- scene

static void number_param(View *v, SimParam *p) {
    char value[32];
    double range[2] = {isnan(p->min) ? fmin(0.0, 2.0 * p->value) : p->min,
                       isnan(p->max) ? fmax(2.0 * fabs(p->value), 1.0) : p->max};
    if (slider(p->name, &p->value, range, p->unit) != 2) return;
    snprintf(value, sizeof value, "%.9g%s", p->value, strcmp(p->unit, "any") ? p->unit : "");
    sim_set(v->sim, p->name, value);
}

static void one_param(View *v, SimParam *p) {
    const char *name[MOST_CHOICES];
    bool truth = !strcmp(p->word, "true") || !strcmp(p->word, "false");
    for (int k = 0; k < p->choices; k++) name[k] = p->choice_text[k];
    if (p->choices) {
        if (ui_choice(p->name, &p->choice, name, p->choices))
            sim_set(v->sim, p->name, p->choice_text[p->choice]);
    } else if (p->is_number) {
        number_param(v, p);
    } else if (truth) {
        bool on = p->word[0] == 't';
        if (ui_toggle(p->name, &on)) sim_set(v->sim, p->name, on ? "true" : "false");
    } else if (ui_field(p->name, p->word, sizeof p->word)) {
        sim_set(v->sim, p->name, p->word);
    }
    ui_tip(p->help);
}

// what is dragged must not jump back while the next scene is made
static SimParam shown_param[MOST_PARAMS];
static int32_t shown_of = -1;
static bool was_opening;

static void params(View *v) {
    SimStatus *s = &v->status;
    if (shown_of != s->opened || (was_opening && !s->opening)) {
        memcpy(shown_param, s->param, sizeof shown_param);
        shown_of = s->opened;
    }
    was_opening = s->opening;
    for (int k = 0; k < s->param_count; k++) one_param(v, &shown_param[k]);
    if (s->param_count == 0) ui_dim("The scene has no params.");
    if (s->param_count) ui_dim("A change makes the scene anew, in the background.");
}

// --- the picked body

static void constants(View *v, const FrBodyView *body) {
    static const double range[][2] = {{0, 2}, {0, 1}, {1e-8, 1e-1}, {0, 50}, {0, 0.2}};
    static const char *const unit[] = {"", "", "s", "1/s", ""};
    for (int k = 0; fr_live_constant(k) && k < 5; k++) {
        double value;
        const char *word = fr_live_constant(k);
        if (!fr_live_constant_of(&body->material, word, &value)) continue;
        if (!slider(word, &value, range[k], unit[k])) continue;
        FrInput input = {.kind = FR_INPUT_MATERIAL, .body = body->id, .amount = value};
        snprintf(input.word, sizeof input.word, "%s", word);
        sim_input(v->sim, &input);
    }
    ui_dim("Density, stiffness and strength cannot change while it moves: drop another body.");
}

static void picked(View *v) {
    const FrFrameView *view = view_shown(v);
    int k = hands_find(v, v->picked);
    char text[160];
    if (k < 0) {
        ui_dim("Click a body, or press Tab.");
        return;
    }
    const FrBodyView *body = &view->body[k];
    ui_strong(body->name);
    snprintf(text, sizeof text, "%s of %s%s, %d tets", body->model, body->material.name,
             v->moment && !v->player.playback && v->moment->asleep[k] ? ", asleep" : "",
             body->mesh ? body->mesh->tet_count : 0);
    ui_dim(text);
    if (v->player.playback) return;
    constants(v, body);
    if (v->sounds) modes_show(v, body);
}

// --- what is seen

static void scale_text(FrShow show, double top, char text[32]) {
    static const char *const prefix[] = {"", "k", "M", "G"};
    int k = 0;
    if (show == FR_SHOW_SPEED) {
        snprintf(text, 32, "%.3g m/s", top);
        return;
    }
    while (k < 3 && top >= 999.5) top /= 1000, k++;
    snprintf(text, 32, "%.3g %sPa", top, prefix[k]);
}

static void seen(View *v) {
    static const char *const qualities[] = {"chosen", "fast", "fine"};
    int show = (int)v->look.show;
    char high[32];
    if (ui_choice("colours", &show, shows, 8)) v->look.show = (FrShow)show;
    ui_tip("V goes through them");
    if (show == FR_SHOW_STRESS || show == FR_SHOW_SPEED) {
        scale_text(v->look.show, fr_draw_cost(v->draw).scale, high);
        ui_scale(fr_draw_colour, "0", high);
    }
    if (show == FR_SHOW_SEPARATION) ui_scale(fr_draw_colour, "0", "breaks");
    if (show == FR_SHOW_HEAT) ui_scale(fr_draw_colour, "20 C", "melts");
    if (show == FR_SHOW_CRACKS) ui_scale(fr_draw_colour, "first crack", "last crack");
    ui_toggle("contacts", &v->over.touches);
    ui_tip("where bodies push each other, and how hard (C)");
    ui_beside(1.0f);
    ui_toggle("joints", &v->over.ties);
    ui_tip("J");
    ui_toggle("velocities", &v->over.speeds);
    ui_tip("as far as bodies come in a tenth of a second (G)");
    ui_beside(0.3f);
    ui_toggle("names", &v->over.names);
    ui_tip("N");
    ui_beside(0.3f);
    ui_toggle("trees", &v->over.trees);
    ui_tip("boxes by which contact finds bodies (T)");
    ui_choice("picture", &v->quality, qualities, 3);
    ui_tip("fine: soft shadows, glass that bends light (Q)");
    if (ui_toggle("light panels", &v->style.light)) ui_restyle(&v->style);
    ui_tip("L; Ctrl + and Ctrl - make letters larger and smaller");
}

// --- numbers

static float most(const float *value) {
    float top = 0;
    for (int k = 0; k < PLOT; k++) top = value[k] > top ? value[k] : top;
    return top;
}

static void energy_plot(View *v, const char *name, double now, const float *value) {
    char text[64];
    snprintf(text, sizeof text, "%s %.3g J", name, now);
    ui_plot(text, value, PLOT, v->plots.at, 1.1f * most(value));
}

static void ledger(View *v, const FrEnergy *e) {
    char text[64];
    energy_plot(v, "kinetic", e->kinetic, v->plots.energy);
    energy_plot(v, "elastic", e->elastic, v->plots.elastic);
    energy_plot(v, "spent", e->plastic + e->fracture + e->dust + e->damping + e->contact,
                v->plots.spent);
    ui_tip("in damping, contact, flow, cracks and dust");
    energy_plot(v, "brought in", e->external, v->plots.brought);
    ui_tip("by gravity, loads and hands");
    snprintf(text, sizeof text, "the ledger closes to %.2g", fr_ledger_closure(&v->ledger));
    ui_dim(text);
    ui_tip("held + spent - brought in stays the same: how far it is off, over the largest energy");
}

static void numbers(View *v) {
    const FrMoment *m = v->moment;
    char text[160];
    if (!m) return;
    ledger(v, &m->energy);
    snprintf(text, sizeof text, "%.3g ms a step of %.3g ms", v->status.step_ms, 1e3 * m->step);
    ui_plot(text, v->plots.step, PLOT, v->plots.at, 1.1f * most(v->plots.step));
    ui_tip("wall time of a macro step");
    snprintf(text, sizeof text, "forces %.3g, contact %.3g, breaking %.3g ms", v->stages.forces,
             v->stages.contact, v->stages.breaking);
    ui_dim(text);
    ui_tip("processor time of soft bodies in a step; the rest is that of rigid ones");
    snprintf(text, sizeof text, "%.3g x real time", v->status.factor);
    ui_plot(text, v->plots.factor, PLOT, v->plots.at, 1.1f * most(v->plots.factor));
    snprintf(text, sizeof text, "%d bodies, %d tets, %d contacts", m->view.body_count, m->tets,
             m->touch_count);
    ui_dim(text);
    FrDrawCost cost = fr_draw_cost(v->draw);
    snprintf(text, sizeof text, "%.0f frames a second, %d draw calls, %.2f MB", 1e3 / v->frame_ms,
             cost.calls, 1e-6 * (double)cost.uploaded);
    ui_dim(text);
}

// --- the rest

static void sound(View *v) {
    static const double range[2] = {-60, 40};
    if (!v->sounds) {
        ui_dim("There is no sound device.");
        return;
    }
    double gain = sounds_gain(v->sounds);
    if (slider("gain", &gain, range, "dB")) sounds_set_gain(v->sounds, gain);
    char text[96];
    sounds_text(v->sounds, text, sizeof text);
    ui_dim(text);
    listening_show(v);
}

static void gravity(View *v) {
    static const double range[2] = {0, 25};
    if (!v->moment) return;
    double g = -v->moment->gravity.z;
    if (!slider("gravity", &g, range, "m/s2")) return;
    FrInput input = {.kind = FR_INPUT_GRAVITY, .v = {0, 0, -g}};
    sim_input(v->sim, &input);
}

static void keep(View *v) {
    char command[1024];
    if (ui_button("Screenshot", false, 0)) v->shot.wanted = true;
    ui_tip("F12");
    ui_beside(0.4f);
    if (ui_button("Save inputs", false, 0)) {
        sim_save(v->sim, "fracas-inputs.json");
        view_note(v, "saved fracas-inputs.json: fracas view --replay fracas-inputs.json");
    }
    ui_tip("what hands did: played again, it comes to the same bits (Ctrl+S)");
    if (ui_button("Film it", false, 0)) {
        sim_film(v->sim);
        view_note(v, "what hands did is done again for a film, in out/session-1 or the next");
    }
    ui_tip("recording, sound and film of all since the start, in the background");
    ui_beside(0.4f);
    if (ui_button("Copy the command line", false, 0)) {
        sim_command(v->sim, command, sizeof command);
        ui_copy(command);
        view_note(v, command);
    }
    ui_beside(0.4f);
    if (ui_button("Reload", false, 0)) sim_reload(v->sim);
    ui_tip("the scene, as it is on the disk (F5); that happens by itself when it is saved");
}

// its file; all of the path where the pointer rests on it
static void scene_name(const View *v) {
    const char *slash = strrchr(v->status.scene, '/');
    ui_dim(slash ? slash + 1 : v->status.scene);
    ui_tip(v->status.scene);
}

static void inspector(View *v) {
    float em = ui_em(), width = 21 * em;
    float foot = v->player.playback ? 7.0f * em : 3.0f * em;
    float box[4] = {(float)v->width - width - 0.6f * em, 0.6f * em, width, (float)v->height - foot};
    bool live = !v->player.playback;
    if (ui_panel("inspector", box, false)) {
        if (live) scene_name(v);
        if (live && ui_section("Scene", true)) params(v), gravity(v);
        if (ui_section("Picked body", true)) picked(v);
        if (ui_section("See", true)) seen(v);
        if (live && ui_section("Numbers", true)) numbers(v);
        if (ui_section("Sound", false)) sound(v);
        if (live && ui_section("Keep", false)) keep(v);
    }
    ui_panel_end();
}

static void help_panel(View *v) {
    int count;
    const KeyRow *row = keys_table(&count);
    float em = ui_em(), width = 40 * em;
    float box[4] = {0.5f * ((float)v->width - width), 0.08f * (float)v->height, width, 0};
    if (ui_panel("help", box, false)) {
        ui_strong("Keys");
        ui_right(4);
        if (ui_button("Close", false, 4)) v->help = false;
        ui_line();
        for (int k = 0; k < count; k++) {
            ui_strong(row[k].keys);
            ui_right(31);
            ui_text(row[k].what);
        }
        ui_line();
        ui_dim(
            "Mouse: left uses the tool, or turns the camera beside bodies; right turns, middle or "
            "Shift+right shifts it, the wheel comes nearer.");
    }
    ui_panel_end();
}

// mistakes of a scene stay until it is read again
static void messages(View *v) {
    float em = ui_em(), box[4] = {0.6f * em, (float)v->height - 2.6f * em, 30 * em, 0};
    double now = 1e-3 * SDL_GetTicks();
    bool wrong = v->status.message[0] && v->status.messages != v->messages;
    if (wrong) {
        float high[4] = {19.0f * em, 0.6f * em, 32.0f * em, 0};
        if (ui_panel("message", high, false)) {
            ui_strong(v->status.broken ? "It broke down: go back (B), or reset (R)" : "Not done");
            ui_text(v->status.message);
            if (ui_button("Dismiss", false, 0)) v->messages = v->status.messages;
        }
        ui_panel_end();
    }
    if (v->player.playback) return;
    if (ui_panel("foot", box, false)) {
        if (now < v->note.until)
            ui_text(v->note.text);
        else
            ui_dim("?  keys     Space  run     drag  turn     wheel  nearer");
    }
    ui_panel_end();
}

void panels_show(View *v) {
    if (v->player.playback) {
        player_bar(v);
        if (v->panels) inspector(v);
    } else if (!v->status.ready && !v->status.opening) {
        browser_show(v);
        messages(v);
    } else {
        if (v->panels) {
            live_bar(v);
            tool_panel(v);
            inspector(v);
        }
        messages(v);
    }
    if (v->help) help_panel(v);
}
