-- sheet-on-spheres.lua: a soft sheet falls on a bed of balls and hangs over them.
local rows = param("rows", 3, {min = 1, max = 6, help = "balls along each side"})
local thick = param("thick", 12*mm, {min = 4*mm, max = 5*cm, help = "thickness of the sheet"})

scene { duration = 3*s, fps = 30, seed = 11 }
ground { material = "concrete" }

local pitch = 22*cm
for i = 1, rows do
  for j = 1, rows do
    sphere {
      7*cm, name = "ball" .. i .. j, material = "brass", kinematic = true,
      at = {(i - (rows + 1) / 2) * pitch, (j - (rows + 1) / 2) * pitch, 12*cm + 4*cm * ((i + j) % 2)},
    }
  end
end

body {
  name = "sheet", material = "silicone", self_contact = true,
  shape = box { 70*cm, 70*cm, thick }, cells = 2 * thick, mesher = "structured",
  at = {2*cm, 1*cm, 40*cm}, turn = {4, 3, 10},
}

film { camera = "auto" }
