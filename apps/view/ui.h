// ui.h: Dear ImGui with a C face: windows, sliders and plots for panels.c. Nobody else sees C++.
#pragma once
#include <SDL.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How it looks.
typedef struct UiStyle {
    bool light;        ///< dark letters on light panels; else the other way round
    float scale;       ///< 1: letters of 15 pixels
    float accent[3];   ///< the one colour, sRGB
    const char *fonts; ///< a font file; NULL: those that Debian has, else ImGui's own
} UiStyle;

/// With the OpenGL context that is current.
bool ui_open(const UiStyle *style);
void ui_close(void);
/// Another look from the next frame on.
void ui_restyle(const UiStyle *style);
/// A key, a button, a wheel, text. What is not of a panel is the caller's.
void ui_event(const SDL_Event *event);
bool ui_has_mouse(void); ///< a panel is under the pointer, or holds it
bool ui_has_text(void);  ///< letters go into a field
bool ui_has_keys(void);  ///< arrows go through a panel

void ui_begin(int width, int height, double seconds); ///< a frame of so many pixels
void ui_end(void);                                    ///< draws it into the bound framebuffer
float ui_em(void);                                    ///< height of a line, pixels

/// A panel at a place (pixels); height 0: as high as what is in it. Every panel is ended.
bool ui_panel(const char *name, const float box[4], bool bare);
void ui_panel_end(void);
bool ui_section(const char *title, bool open);
void ui_text(const char *text);
void ui_dim(const char *text); ///< quieter
void ui_strong(const char *text);
void ui_tip(const char *text); ///< of what came last
void ui_line(void);            ///< a thin one across
void ui_beside(float gap);     ///< what follows stands in the same line; em
void ui_right(float width);    ///< likewise, so many em from the right end
void ui_gap(float height);     ///< em
/// Button; `on`: in the accent colour. width: em, 0: as its text, -1: all there is.
bool ui_button(const char *label, bool on, float width);
/// A picture (an OpenGL texture; 0: none yet) with a name below, to be clicked. em
bool ui_card(unsigned texture, const char *name, float width, float height);
bool ui_toggle(const char *label, bool *on);
/// 1: it moved; 2: it was let go after it moved. `wide`: by powers of ten.
/// `text`: the value for people; it stands behind the label.
int ui_slider(const char *label, double *value, const double range[2], const char *text, bool wide);
int ui_choice(const char *label, int *chosen, const char *const *name, int count);
bool ui_field(const char *label, char *text, int room);
/// A curve (count, from `first` on, round); 0 to `top`.
void ui_plot(const char *name, const float *value, int count, int first, float top);
/// A bar of the colours of a scale with words at its ends.
void ui_scale(void (*colour)(double s, float rgb[3]), const char *low, const char *high);
void ui_copy(const char *text); ///< to the clipboard

#ifdef __cplusplus
}
#endif
