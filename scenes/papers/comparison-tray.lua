-- comparison-tray.lua: a flower tray of terra-cotta falls on its edge, bounces and tips over (S6 figure 6.17, beside a real one).
-- Printed: that it lands on its lip's leading edge, which breaks off; pictures 166 ms apart; 1371 minutes a second. Filled in: the ceramic of
-- table 6.5, the form of trays.lua with a thinner lip, tilted by 70 degrees and turned a little, a fall of 1 m; tets of 5 cm.
local fall = param("fall", 1*m, {min = 1*cm, max = 10*m, help = "height of the fall"})
local tilt = param("tilt", 70, {min = 0, max = 180, help = "degrees; 0: it lands on its foot"})
local cell = param("cell", 5*cm, {min = 1*cm, max = 10*cm, help = "edge of the tets"})

scene { duration = 0.7*s, fps = 120, seed = 2, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
material { name = "terra-cotta", base = "s6-ceramic", colour = {0.62, 0.27, 0.14} }
local line = { {0, 0}, {29*cm, 0}, {34*cm, 9*cm}, wall = 25*mm }
local a, low = math.rad(tilt), 0        -- how deep the lowest point of the tilted line is
for _, p in ipairs(line) do low = math.min(low, p[2] * math.cos(a) - p[1] * math.sin(a)) end
body {
  name = "tray", material = "terra-cotta", cells = cell, shape = lathe(line),
  at = {0, 0, 25*mm - low}, turn = {tilt, 0, 8}, velocity = {0, 0, -math.sqrt(2 * 9.81 * fall)},
}
film { camera = { position = {1.1*m, -2.1*m, 1.0*m}, target = {0, 0, 16*cm}, fov = 26 },
  fps = 30, slow = { at = "first-crack", factor = 8, lasts = 2*s } }
