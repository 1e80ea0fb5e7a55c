// page_inside.h: what the parts of the page share.
#pragma once
#include "export/page.h"

void fr_page_put(FrWriter *out, const char *text);  ///< as it is
void fr_page_text(FrWriter *out, const char *text); ///< escaped
void fr_page_number(FrWriter *out, double value, int digits);
/// The energies over time as an SVG with a legend; nothing when there are none.
void fr_page_energy(FrWriter *out, const FrPage *page);
