-- sheet-on-spheres.lua: a soft sheet falls on a bed of balls, some fixed and some free, and hangs over them.
local rows = param("rows", 3, {min = 1, max = 6, help = "balls along each side"})
local thick = param("thick", 14*mm, {min = 4*mm, max = 5*cm, help = "thickness of the sheet"})

scene { duration = 2*s, fps = 30, seed = 11 }
ground { material = "concrete" }
material { name = "sheet", base = "gelatine", strength = 0 } -- hangs, does not tear

-- fixed balls float in the air like lamps; every second one lies on the ground and can roll
local pitch = 22*cm
for i = 1, rows do
  for j = 1, rows do
    local x, y = (i - (rows + 1) / 2) * pitch, (j - (rows + 1) / 2) * pitch
    if (i + j) % 2 == 0 then
      sphere { 8*cm, name = "fixed" .. i .. j, material = "brass", kinematic = true, at = {x, y, 18*cm} }
    else
      sphere { 6*cm, name = "free" .. i .. j, material = "oak", at = {x, y, 6*cm} }
    end
  end
end

body {
  name = "sheet", material = "sheet", self_contact = true, colour = {0.10, 0.32, 0.50},
  shape = box { 70*cm, 70*cm, thick }, cells = 25*mm, mesher = "structured",
  at = {0, 0, 34*cm}, turn = {2, 1, 12},
}

film { camera = "auto" }
