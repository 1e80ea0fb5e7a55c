// page_inside.h: what the parts of the page share.
#pragma once
#include "export/page.h"

void fr_page_put(FrWriter *out, const char *text);  ///< as it is
void fr_page_text(FrWriter *out, const char *text); ///< escaped
void fr_page_number(FrWriter *out, double value, int digits);
/// The energies over time as an SVG with a legend; nothing when there are none.
void fr_page_energy(FrWriter *out, const FrPage *page);
/// A cell of a table; NaN: an empty one.
void fr_page_cell(FrWriter *out, double value, int digits);
void fr_page_place(FrWriter *out, FrVec3 x); ///< three cells
/// A cell with the name of a body; -1: an empty one.
void fr_page_body(FrWriter *out, const FrPage *page, int32_t id);
/// What broke: the pieces, and the cracks in sum with the largest of them; nothing when none did.
FrResult fr_page_pieces(FrWriter *out, const FrPage *page);
FrResult fr_page_cracks(FrWriter *out, const FrPage *page);
