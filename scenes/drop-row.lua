-- drop-row.lua: one shape in eight materials, dropped from one height.
local fall = param("fall", 25*cm, {min = 1*cm, max = 2*m, help = "height of the drop"})
local tilt = param("tilt", 12, {min = -90, max = 90, help = "degrees, so that an edge comes first"})

scene { duration = 2*s, fps = 60, seed = 5 }
ground { material = "concrete" }

local materials = {"jelly", "silicone", "rubber", "foam", "cork", "nylon", "oak", "lead"}
local bar = box { 14*cm, 6*cm, 6*cm, round = 8*mm }
for k, name in ipairs(materials) do
  body {
    name = name, material = name, shape = bar, cells = 16*mm,
    at = {(k - 4.5) * 18*cm, 0, fall + 5*cm}, turn = {0, tilt, 0},
  }
end

film { camera = "auto" }
