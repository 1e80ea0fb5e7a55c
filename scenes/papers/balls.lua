-- balls.lua: four hollow balls fall on a hard floor: the first one flattens, the others split and tear, none shatters (S3 figure 1).
-- Printed: that all four yield, the first one visibly. Filled in: the ceramic of S6 table 6.5, radius 15 cm, walls of 2 cm, a fall of 5 m;
-- a yield of .001 and limits of .486, .054, .018 and .006 as in figure 3 (halved: the paper's strain is doubled).
local fall = param("fall", 5*m, {min = 1*cm, max = 10*m, help = "height of the fall"})
local cell = param("cell", 5*cm, {min = 1*cm, max = 10*cm, help = "edge of the tets"})
local count = param("count", 4, {min = 1, max = 4, help = "how many of them"})
local r, wall = 15*cm, 2*cm

scene { duration = 0.25*s, fps = 120, seed = 8, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
local limit = { .486, .054, .018, .006 }
for k = 1, count do
  material { name = "ball" .. k, base = "s6-ceramic", yield_strain = .0005, plastic_limit = limit[k] / 2 }
  local line = { wall = wall }
  for j = 0, 8 do
    local a = math.pi * (j / 8 - 0.5)
    line[j + 1] = { j % 8 == 0 and 0 or (r - wall / 2) * math.cos(a), (r - wall / 2) * math.sin(a) }
  end
  body { name = "ball" .. k, material = "ball" .. k, cells = cell, shape = lathe(line),
    at = {(k - 2.5) * 0.4*m, 0, r + 2*cm}, turn = {20 * k, 0, 0}, velocity = {0, 0, -math.sqrt(2 * 9.81 * fall)} }
end
film { camera = { position = {0.5*m, -3.2*m, 1.1*m}, target = {0, 0, 14*cm}, fov = 20 },
  fps = 30, slow = { at = "first-crack", factor = 8, lasts = 2*s } }
