-- slab.lua: a weight falls on a slab of glass that lies on two supports (S2 figure 1, table 1).
--   fracas run slab.lua --set material=glass      the same slab at the stiffness of handbooks, 270 times as stiff
-- Printed: lambda, mu, psi, density, and tau, which is a force and belongs to tets of this size. Filled in: a slab of
-- 1 x 1 x 0.03 m, a weight of 50 kg, 14 m/s.
local made_of = param("material", "s2-glass-slab", {choices = {"s2-glass-slab", "glass"}, help = "printed numbers, or handbooks'"})
local speed = param("speed", 14*m/s, {min = 0, max = 20, help = "of the weight when it hits"})
local cell  = param("cell", 65*mm, {min = 1*cm, max = 20*cm, help = "edge of the tets"})
local size, thick, rest, high, r = 1*m, 3*cm, 8*cm, 20*cm, 12*cm

scene { duration = 0.25*s, fps = 120, seed = 4 }
ground { material = "concrete" }
for side = -1, 1, 2 do
  fix { body { name = "support" .. (side + 3) // 2, material = "oak", model = "frame", cells = 10*cm,
    shape = box { rest, size, high }, at = {side * (size - rest) / 2, 0, high / 2} } }
end
local half = size / 2
body { name = "slab", material = made_of, model = "fem", cells = cell, crack = { upright = false }, at = {0, 0, high + thick / 2 + 0.5*mm},
  shape = extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick } }
sphere { r, name = "weight", mass = 50*kg, material = "iron", at = {3*cm, 2*cm, high + thick + r + 1*mm}, velocity = {0, 0, -speed} }

film { camera = { position = {1.3*m, -2.1*m, 1.3*m}, target = {0, 0, 12*cm}, fov = 28 },
  fps = 30, slow = { at = "first-crack", factor = 10, lasts = 2*s } }
