-- slab.lua: a heavy weight falls on a slab of glass that lies on a frame: radial cracks, a crushed middle (S2 figure 1, table 1; S6 figure 6.3).
--   fracas run slab.lua --set material=glass      the same slab at the stiffness of handbooks, 270 times as stiff
-- Printed: lambda, mu, psi, density, and tau, which is a force and belongs to tets of this size. Filled in: a slab of
-- 1 x 1 x 0.05 m on four sides, a weight of 200 kg, 20 m/s. On two sides it bends one way only, and one crack goes across; 50 kg at 14 m/s
-- leave four (docs/log/papers.md).
local made_of = param("material", "s2-glass-slab", {choices = {"s2-glass-slab", "glass"}, help = "printed numbers, or handbooks'"})
local speed = param("speed", 20*m/s, {min = 0, max = 50, help = "of the weight when it hits"})
local mass  = param("mass", 200*kg, {min = 1*kg, max = 10000*kg, help = "of the weight"})
local cell  = param("cell", 90*mm, {min = 1*cm, max = 20*cm, help = "edge of the tets"})
local size, thick, rest, high, r = 1*m, 5*cm, 8*cm, 20*cm, 12*cm

scene { duration = 0.25*s, fps = 120, seed = 4, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
for k, way in ipairs { {1, 0}, {-1, 0}, {0, 1}, {0, -1} } do
  fix { body { name = "support" .. k, material = "oak", model = "frame", cells = 10*cm,
    shape = way[1] ~= 0 and box { rest, size, high } or box { size - 2 * rest - 2*mm, rest, high },
    at = {way[1] * (size - rest) / 2, way[2] * (size - rest) / 2, high / 2} } }
end
local half = size / 2
body { name = "slab", material = made_of, model = "fem", cells = cell, crack = { upright = false }, at = {0, 0, high + thick / 2 + 0.5*mm},
  shape = extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick } }
sphere { r, name = "weight", mass = mass, material = "iron", at = {3*cm, 2*cm, high + thick + r + 1*mm}, velocity = {0, 0, -speed} }

film { camera = { position = {0.9*m, -1.7*m, 1.9*m}, target = {0, 0, 15*cm}, fov = 30 },
  fps = 30, slow = { at = "first-crack", factor = 10, lasts = 2*s } }
