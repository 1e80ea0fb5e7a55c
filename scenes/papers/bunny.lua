-- bunny.lua: a hollow ceramic bunny is struck by a sphere on a circular path (S6 figures 1.1 and 6.1).
-- Printed: hollow, ceramic (table 6.5), a small heavy sphere that moves along a circle. Filled in: a bunny of one metre with
-- walls of 10 cm, a sphere of 8 cm on a circle of 70 cm at 8 m/s. Cells of 5 cm lose the tips of its ears; coarse keeps them, and
-- with them the 17,000 tets that the paper's times are for.
local speed = param("speed", 8*m/s, {min = 0, max = 40, help = "of the sphere"})
local cell  = param("cell", 5*cm, {min = 2*cm, max = 20*cm, help = "edge of the tets"})
local wall  = param("wall", 10*cm, {min = 2*cm, max = 1*m, help = "thickness of its walls"})
local start = param("start", 0.865, {min = 0.5, max = 1, help = "where on its circle the sphere begins, half turns; at 0.88 it touches"})
local reach, r, high = 70*cm, 8*cm, 45*cm

scene { duration = 0.4*s, fps = 120, seed = 2, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
body { name = "bunny", material = "s6-ceramic", cells = cell, coarse = true, at = {0, 0, 1*mm},
  shape = shell { scale { surface { "../../assets/bunny.obj", up = "z" }, by = 6.2 }, thickness = wall } }

-- the circle lies level, its centre beside the bunny; the sphere comes from behind the picture
local path, steps, turn = {}, 48, 2 * math.pi * reach / speed
for k = 0, steps do
  local a = math.pi * (start + 1.5 * k / steps)
  path[k + 1] = { 0.75 * turn * k / steps, {75*cm + reach * math.cos(a), reach * math.sin(a), high} }
end
sphere { r, name = "sphere", material = "iron", at = path[1][2], path = path }

film { camera = { position = {2.4*m, 3.0*m, 1.3*m}, target = {0, 0, 45*cm}, fov = 26 },
  fps = 30, slow = { at = "first-crack", factor = 8, lasts = 2*s } }
