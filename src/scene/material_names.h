// material_names.h: which material of the library a word may mean that names none.
#pragma once

/// The material for what people call things at home ("china": porcelain); NULL: no such word.
const char *fr_material_everyday(const char *name);
/// The same, or the name that `name` is a slip of; NULL: none is near.
const char *fr_material_meant(const char *name);
