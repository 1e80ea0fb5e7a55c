-- dragon.lua: a dragon is heated at its neck, then pulled apart (S5 figure 9, table 1).
--   fracas run scenes/papers/dragon.lua
-- Printed: 834 tets, 100 kPa, 0.33, 1000 kg/m^3, tears at 60 kPa, plastic yield 0.10, creep 1 / s, limit 1. Filled in: its shape, 1 m long, and heat:
-- it softens at 40 degrees C and melts at 62, as wax does, but takes little heat, so that two seconds are enough.
local cell = param("cell", 7*cm, {min = 3*cm, max = 12*cm, help = "edge of the tets"})
local power = param("power", 4500, {min = 0, max = 1e5, help = "of the flame at its neck, W"})
local wait = param("wait", 2*s, {min = 0.02*s, max = 10*s, help = "how long it is heated before the pull"})
local speed = param("speed", 0.25, {min = 0.01, max = 2, help = "of the pull at its head, m/s"})

scene { duration = wait + 3*s, fps = 30 }
ground { material = "concrete" }
material { name = "dragon", base = "silicone", density = 1000, young = 100*kPa, poisson = 0.33, strength = 60*kPa, Gc = 0, yield_strain = 0.10,
           creep = 1/s, plastic_limit = 1, alpha2 = 2/s, heat_capacity = 100, conductivity = 0.25, cooling = 10, softens = 40, melts = 62,
           colour = {0.10, 0.33, 0.22}, inside = {0.75, 0.30, 0.16}, roughness = 0.35 }

local parts = {
  ellipsoid { 20*cm, 9*cm, 10*cm },                                        -- trunk
  move { ellipsoid { 10*cm, 4.6*cm, 5*cm }, by = { -22*cm, 0, 9*cm } },    -- neck
  move { ellipsoid { 7*cm, 4.4*cm, 4.6*cm }, by = { -29*cm, 0, 15*cm } },
  move { ellipsoid { 9*cm, 5*cm, 4.6*cm }, by = { -38*cm, 0, 19*cm } },    -- head
  move { ellipsoid { 7*cm, 3.4*cm, 3*cm }, by = { -46*cm, 0, 17.5*cm } },  -- muzzle
}
for k = 0, 5 do -- tail
  local u = k / 5
  local r = (5.5 - 3.6 * u) * cm
  parts[#parts + 1] = move { ellipsoid { 8*cm, r, r }, by = { (20 + 34 * u) * cm, 0, (-1 + 10 * u * u) * cm } }
end
for _, x in ipairs { -11*cm, 12*cm } do -- legs
  for _, y in ipairs { -6*cm, 6*cm } do
    parts[#parts + 1] = move { ellipsoid { 4*cm, 3.6*cm, 9*cm }, by = { x, y * 1.2, -10*cm } }
  end
end
for k = 0, 6 do -- crest
  local x = (-12 + 6 * k) * cm
  parts[#parts + 1] = move { ellipsoid { 2.4*cm, 1.6*cm, 3.4*cm }, by = { x, 0, (10.5 - 0.004 * (k - 2) * (k - 2) * 60) * cm } }
end
parts.round = 2*cm
local dragon = body { name = "dragon", material = "dragon", model = "corot", shape = union(parts), at = {0, 0, 24*cm}, mesher = "cage",
                      cells = cell, skin = "shape" }
fix { dragon, where = above { x = 30*cm } }
heat { dragon, where = inside { move { ellipsoid { 7*cm, 9*cm, 12*cm }, by = { -24*cm, 0, 11*cm } } }, power = { {0, power}, {0.95 * wait, power}, {wait, 0} } }
drive { dragon, where = below { x = -40*cm }, path = { {0, {0, 0, 0}}, {wait, {0, 0, 0}}, {wait + 3*s, {-3 * speed, 0, 0}} } }
film { camera = { position = {-0.75*m, -2.2*m, 0.62*m}, target = {-0.33*m, 0, 0.24*m}, fov = 36 } }
