// pages.h: small helpers of the pages that are made from the schema.
#pragma once
#include "scene/schema.h"

void fr_page_printf(FrWriter *page, const char *format, ...) FR_PRINTF(2, 3);
/// "length, m", "text", "one of auto, fem": for people.
void fr_page_type(FrWriter *page, const FrField *field);
