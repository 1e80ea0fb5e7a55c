-- drop-row.lua: one ring in eight materials, from jelly to steel in true units, dropped from one height.
local fall = param("fall", 16*cm, {min = 1*cm, max = 2*m, help = "height of the drop"})
local wall = param("wall", 26*mm, {min = 1*cm, max = 4*cm, help = "thickness of the rings"})

scene { duration = 0.8*s, fps = 120, seed = 5 }
ground { material = "granite" }

-- deformable bodies get two layers of tets through the wall; one is enough for rigid ones, and its
-- steps are short enough (1 us in steel)
local rows = {
  {"jelly", 2}, {"gelatine", 2}, {"silicone", 2}, {"foam", 2},
  {"rubber", 2}, {"cork", 1}, {"wax", 1}, {"steel", 1},
}
local radius, width = 7*cm, 5*cm
local ring = turn { tube { radius = radius, wall = wall, height = width }, by = {90, 0, 0} }
for k, row in ipairs(rows) do
  local name, layers = row[1], row[2]
  body {
    name = name, material = name, shape = ring, cells = wall / layers, skin = "shape",
    at = {(k - 4.5) * 19*cm, 0, fall + radius},
  }
end

film {
  camera = { position = {0.45*m, -2.7*m, 0.55*m}, target = {0, 0, 0.13*m}, fov = 13.5 },
  size = {1280, 480}, fps = 30,
  slow = { at = "first-impact", factor = 4, lasts = 2.4*s },
}
