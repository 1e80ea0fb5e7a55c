-- bunny-bounce.lua: the bunny bounces off the ground (S1 figure 8).
-- Printed: 15,507 nodes and 37,114 tets (the columns of table 1 are swapped, E34), 32 modes. Filled in: rubber of 60 kPa, a fall of 25 cm, cells
-- that make about so many tets.
local cell = param("cell", 10.2*mm, {min = 4*mm, max = 40*mm, help = "edge of the tets"})
local fall = param("fall", 25*cm, {min = 1*cm, max = 2*m, help = "height of the fall"})
scene { duration = 1.2*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "bunny rubber", density = 1000, young = 60*kPa, poisson = 0.4, alpha1 = 6e-4 }
local parts = { surface { "../../assets/bunny.obj", up = "z" }, round = 6*mm }
local function fatten(from, to)
  for k = 0, 5 do
    local at = {}
    for i = 1, 3 do at[i] = (from[i] + (to[i] - from[i]) * k / 5) * mm end
    parts[#parts + 1] = move { ball(8*mm), by = at }
  end
end
fatten({-38, -8, 123}, {-4, 19, 153})
fatten({-48, 2, 120}, {-56, 52, 149})
body { name = "bunny", material = "bunny rubber", colour = {0.72, 0.62, 0.5}, model = "modal", modes = 32,
  shape = scale { union(parts), by = 1.5 }, cells = cell, at = {0, 0, fall}, turn = {12, -8, 0} }
film { camera = { position = {0.5*m, -1.5*m, 0.5*m}, target = {0, 0, 22*cm}, fov = 30 }, fps = 30,
  slow = { at = "first-impact", factor = 4, lasts = 3*s } }
