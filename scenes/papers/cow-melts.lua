-- cow-melts.lua: a cow of warm wax sinks under its own weight (S5 figure 8, table 1).
--   fracas run scenes/papers/cow-melts.lua
-- Printed: 970 tets, 50 kPa, 0.33, 1000 kg/m^3, plastic yield 0.01, creep 100 / s, limit 10. Filled in: its shape, 50 cm long.
local creep = param("creep", 100/s, {min = 0, max = 1e4, help = "share of the strain that flows per second"})
local cell = param("cell", 6*cm, {min = 1*cm, max = 10*cm, help = "edge of the tets"})

scene { duration = 4*s, fps = 30 }
ground { material = "concrete" }
material { name = "warm wax", base = "silicone", density = 1000, young = 50*kPa, poisson = 0.33, yield_strain = 0.01, creep = creep,
           plastic_limit = 10, friction_static = 0.8, friction_dynamic = 0.8, colour = {0.75, 0.52, 0.28}, roughness = 0.3 }

local parts = {
  ellipsoid { 21*cm, 10*cm, 11*cm },                                         -- trunk
  move { ellipsoid { 9*cm, 6*cm, 7*cm }, by = { -25*cm, 0, 9*cm } },         -- head
  move { ellipsoid { 6*cm, 4*cm, 4*cm }, by = { -32*cm, 0, 5*cm } },         -- muzzle
  move { ellipsoid { 6*cm, 5*cm, 7*cm }, by = { -18*cm, 0, 5*cm } },         -- neck
  move { ellipsoid { 2.5*cm, 5*cm, 2.5*cm }, by = { -22*cm, 7*cm, 14*cm } }, -- ears
  move { ellipsoid { 2.5*cm, 5*cm, 2.5*cm }, by = { -22*cm, -7*cm, 14*cm } },
}
for _, x in ipairs { -13*cm, 13*cm } do
  for _, y in ipairs { -5.5*cm, 5.5*cm } do
    parts[#parts + 1] = move { cylinder { radius = 3.4*cm, height = 18*cm, round = 1.5*cm }, by = { x, y, -13*cm } }
  end
end
parts.round = 2.5*cm
body { name = "cow", material = "warm wax", model = "corot", shape = union(parts), at = {0, 0, 22.3*cm}, cells = cell, coarse = true,
       skin = "shape" }
film { camera = "auto" }
