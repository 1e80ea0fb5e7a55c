// overlay.h: what is written on pictures: the time, and what the stress colours mean.
#pragma once
#include "render/image.h"

void fr_overlay_time(FrImage image, double t);
void fr_overlay_legend(FrImage image, double stress_max);
/// "1.25 MPa": three digits and a prefix. `text` has room for 32 bytes.
void fr_stress_text(double pascal, char *text);
