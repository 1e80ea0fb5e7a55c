-- sheets.lua: a ball goes through sheets of four materials that hang in a rigid frame (S6 figure 6.6).
--   fracas sweep sheets.lua --vary sheet=1:2:3:4
-- Printed: (a) stiff and brittle, (b) light, a little flexible, brittle, (c) stiff up to a point where it yields, (d) as (c) with anisotropic
-- toughness; the edges are fixed. Filled in: glass, polystyrene and iron of tables 6.2, 6.6 and 6.3, (d) half as tough across x (a quarter
-- here, E20); a sheet of 1 x 1 x 0.04 m, a ball of 12 cm radius, heavy and fast enough to get through.
local sheet = param("sheet", 1, {choices = {1, 2, 3, 4}, help = "(a) to (d) of the figure"})
local cell  = param("cell", 70*mm, {min = 1*cm, max = 20*cm, help = "edge of the tets"})
local made_of = ({"s6-glass", "s6-polystyrene", "s6-iron", "s6-iron"})[sheet]
local speed = param("speed", ({12, 12, 20, 20})[sheet] * m/s, {min = 0, max = 60, help = "of the ball"})
local mass  = param("mass", ({60, 12, 400, 400})[sheet] * kg, {min = 0.1*kg, max = 10000*kg, help = "of the ball"})
local size, thick, r, bar, low = 1*m, 4*cm, 12*cm, 8*cm, 5*mm
local half, middle = size / 2, low + bar + size / 2

scene { duration = 0.12*s, fps = 250, seed = 6, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
material { name = "sheet", base = made_of, colour = ({{0.72, 0.85, 0.84}, {0.88, 0.87, 0.82}, {0.56, 0.42, 0.25}, {0.30, 0.42, 0.50}})[sheet] }
local plate = body {
  name = "sheet", material = "sheet", cells = cell, at = {0, 0, middle}, crack = { toughness = sheet == 4 and {0.25, 1, 1} or {1, 1, 1} },
  shape = turn { extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick }, by = {90, 0, 0} },
}
for _, where in ipairs { below { x = 3*cm - half }, above { x = half - 3*cm }, below { z = 3*cm - half }, above { z = half - 3*cm } } do
  fix { plate, where = where }
end
-- the frame is to be seen only: it stays a hair away from the sheet and the ground
local gap = 1*mm
for k, way in ipairs { {1, 0}, {-1, 0}, {0, 1}, {0, -1} } do
  local tall = way[1] ~= 0
  fix { body { name = "bar" .. k, material = "oak", model = "frame", cells = 40*cm,
    shape = box { tall and bar or size + 2 * gap, bar, tall and size + 2 * (bar + gap) or bar },
    at = {way[1] * (half + gap + bar / 2), 0, middle + way[2] * (half + gap + bar / 2)} } }
end
sphere { r, name = "ball", mass = mass, material = "iron", at = {4*cm, -thick / 2 - r - 2*mm, middle + 5*cm}, velocity = {0, speed, 0} }

film { camera = { position = {2.0*m, 2.6*m, 1.3*m}, target = {0, 20*cm, 50*cm}, fov = 27 },
  fps = 30, slow = { at = "first-impact", factor = 8, lasts = 2*s } }
