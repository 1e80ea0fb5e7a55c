-- nails.lua: figures are nailed at a few points, and some of these are moved (S1 figure 6).
-- Printed: constraint points at the start and after they were moved. Filled in: a doll of 40 cm, 40 modes, ten points.
local cell = param("cell", 2.6*cm, {min = 5*mm, max = 5*cm, help = "edge of the tets"})
local far = param("far", 6*cm, {min = 0, max = 20*cm, help = "how far hands and head are moved"})
scene { duration = 1.5*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "doll", density = 900, young = 120*kPa, poisson = 0.4, alpha1 = 4e-3 }
local limb = function(a, b, r)
  local parts = {}
  for k = 0, 6 do
    local at = {}
    for i = 1, 3 do at[i] = (a[i] + (b[i] - a[i]) * k / 6) * cm end
    parts[#parts + 1] = move { ball(r), by = at }
  end
  return union(parts)
end
local shape = union { ellipsoid { 6*cm, 4.5*cm, 9*cm }, move { ball(5*cm), by = {0, 0, 14*cm} },
  limb({4, 0, 5}, {17, 0, 10}, 2.2*cm), limb({-4, 0, 5}, {-17, 0, 10}, 2.2*cm), limb({3, 0, -7}, {8, 0, -20}, 2.6*cm), limb({-3, 0, -7}, {-8, 0, -20}, 2.6*cm),
  round = 1*cm }
local doll = body { name = "doll", material = "doll", colour = {0.75, 0.55, 0.25}, model = "modal", modes = 40, shape = shape, cells = cell, coarse = true,
  at = {0, 0, 25*cm} }
local function held(x, y, z, dx, dy, dz)
  local at = {x*cm, y*cm, z*cm + 25*cm}
  if dx then
    drag { doll, at = at, path = { {0, at}, {1*s, {at[1] + dx * far, at[2] + dy * far, at[3] + dz * far}} } }
  else
    nail { doll, at = at }
  end
end
held(8, 0, -20)
held(-8, 0, -20)
held(8, 1.5, -19)
held(-8, 1.5, -19)
held(0, 0, -4)
held(3, 2, -4)
held(17, 0, 10, 0.6, -0.3, 1)
held(-17, 0, 10, 0.2, -0.6, -1)
held(0, 0, 17, 0.3, -0.9, 0)
held(1.5, 1, 17, 0.3, -0.9, 0)
film { camera = { position = {0.35*m, -1.25*m, 0.55*m}, target = {0, 0, 27*cm}, fov = 28 }, fps = 30 }
