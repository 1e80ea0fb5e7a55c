-- clay.lua: a ball punches a hole into a slab of clay (S3 figure 6, beside a photograph of one).
-- Printed: nothing but slab and sphere. Filled in: clay of the library with a yield of 1 % and a limit of 40 %, a slab of 50 x
-- 50 x 4 cm held at its rim, a ball of 5 cm radius at 8 m/s: it tears petals and pushes them aside. At 12 m/s, a sixth of the speed of
-- sound in such clay, it breaks a plug out.
local speed = param("speed", 8*m/s, {min = 0, max = 50, help = "of the ball"})
local cell  = param("cell", 25*mm, {min = 5*mm, max = 10*cm, help = "edge of the tets"})
local size, thick, r = 50*cm, 4*cm, 5*cm

scene { duration = 0.06*s, fps = 500, seed = 3 }
material { name = "potter", base = "clay", colour = {0.50, 0.36, 0.27}, yield_strain = 0.01, plastic_limit = 0.4 }
local half = size / 2
local slab = body { name = "slab", material = "potter", cells = cell, crack = { criterion = { elastic_only = true } }, at = {0, 0, half},
  shape = turn { extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick }, by = {90, 0, 0} } }
for _, where in ipairs { below { x = 2*cm - half }, above { x = half - 2*cm }, below { z = 2*cm - half }, above { z = half - 2*cm } } do
  fix { slab, where = where }
end
sphere { r, name = "ball", material = "steel", at = {1*cm, -thick / 2 - r - 1*mm, half + 2*cm}, velocity = {0, speed, 0} }

film { camera = { position = {0.6*m, 1.2*m, 0.6*m}, target = {0, 0, 25*cm}, fov = 28 },
  fps = 30, slow = { at = "first-impact", factor = 20, lasts = 3*s } }
