// overlay.h: what is written on pictures: the time, and what the stress colours mean.
#pragma once
#include "render/image.h"

/// Letters that are read on any ground; (x, y), size: as fr_text_draw has them.
void fr_overlay_text(FrImage image, double x, double y, double size, const char *text);
void fr_overlay_time(FrImage image, double t, bool in_ms);
/// A colour bar at the lower edge with its numbers.
void fr_overlay_legend(FrImage image, double stress_max);
/// The same for m/s.
void fr_overlay_speed_legend(FrImage image, double fastest);
#define FR_LOAD_TITLE "separation, of what breaks it; grey: rigid, or never breaks"
void fr_overlay_load_legend(FrImage image);
void fr_overlay_heat_legend(FrImage image);
/// The same for times, s; precut: some of the cracks were cut beforehand.
#define FR_CRACK_TITLE "time of cracking, ms"
#define FR_PRECUT_TITLE FR_CRACK_TITLE "; grey: cut beforehand"
void fr_overlay_crack_legend(FrImage image, double first, double last, bool precut);

/// Where the colours of the legend are, pixels: lowest stress left, highest right.
typedef struct FrLegendBar {
    int32_t x, y, width, height;
} FrLegendBar;
FrLegendBar fr_legend_bar(FrImage image);
/// 1: there is room for the texts of all five marks; 2: for every other; 4: for the ends.
int fr_legend_step(FrImage image, const char mark[5][32]);

/// "1.25 MPa": three digits and a prefix. `text` has room for 32 bytes.
void fr_stress_text(double pascal, char *text);
