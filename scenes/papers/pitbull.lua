-- pitbull.lua: two heads on soft necks look down; tets of the red one do not turn, and it swells (S5 figure 1).
--   fracas run scenes/papers/pitbull.lua
-- Printed: the artifact of linear FEM under large turns. Filled in: the shape, 60 cm long, and how it is turned: by its own weight.
local young = param("young", 9*kPa, {min = 1*kPa, max = 10*MPa, help = "Young's modulus"})

scene { duration = 2*s, fps = 30 }
ground { material = "concrete" }
material { name = "dog", base = "silicone", density = 1000, young = young, poisson = 0.33, alpha2 = 4/s, roughness = 0.5 }

local parts = {
  move { ellipsoid { 16*cm, 11*cm, 12*cm }, by = { 18*cm, 0, 0 } },          -- chest
  move { ellipsoid { 14*cm, 7*cm, 7.5*cm }, by = { 0, 0, 3*cm } },           -- neck
  move { ellipsoid { 11*cm, 10*cm, 9*cm }, by = { -17*cm, 0, 6*cm } },       -- skull
  move { ellipsoid { 8*cm, 6.5*cm, 5.5*cm }, by = { -27*cm, 0, 3*cm } },     -- muzzle
  move { ellipsoid { 3*cm, 2.5*cm, 5*cm }, by = { -14*cm, 7.5*cm, 14*cm } }, -- ears
  move { ellipsoid { 3*cm, 2.5*cm, 5*cm }, by = { -14*cm, -7.5*cm, 14*cm } },
}
parts.round = 3*cm
for k = 0, 1 do
  local dog = body { name = k == 0 and "linear" or "turning", material = "dog", model = "corot", linear = k == 0, shape = union(parts),
    at = {0, (k - 0.5) * 60*cm, 75*cm}, cells = 5*cm, coarse = true, skin = "shape",
    colour = k == 0 and {0.45, 0.16, 0.10} or {0.30, 0.28, 0.26} }
  fix { dog, where = above { x = 16*cm } }
end
film { camera = { position = {-2.6*m, 0, 1.0*m}, target = {0, 0, 45*cm}, fov = 28 } }
