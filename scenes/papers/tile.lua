-- tile.lua: a scored ceramic tile falls from two feet on a corner (S7 figures 2 and 12: there the first blow leaves it whole and the
-- second parts it along the score; here it breaks at the first, into more pieces).
-- Printed: density, moduli, Gc, 0.61 m. Filled in: 15 x 15 x 0.8 cm, a strength of 60 MPa, and the score: a line 4 mm wide
-- across its middle with a third of that strength.
local fall = param("fall", 0.61*m, {min = 5*cm, max = 5*m, help = "height of the fall: two feet"})
local scored = param("scored", 0.33, {min = 0.01, max = 1, help = "share of the strength that the score leaves"})
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local size, thick = 15*cm, 8*mm

scene { duration = 0.9*s, fps = 120, seed = 1 }
ground { material = "concrete" }
local half = size / 2
local tile = body { name = "tile", material = "s7-ceramic", cells = 5*mm, crack = { shatter = { release = release } },
  shape = extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick },
  at = {0, 0, fall + half}, turn = {65, 10, 0} }
weaken { tile, where = inside { box { 4*mm, size, thick } }, by = scored }

film { camera = { position = {0.45*m, -0.75*m, 0.35*m}, target = {0, 0, 7*cm}, fov = 30 },
  fps = 30, slow = { at = "first-impact", factor = 4, lasts = 2*s } }
sound { gain = -10 }
