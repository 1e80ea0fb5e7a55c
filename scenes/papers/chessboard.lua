-- chessboard.lua: a ceramic chessboard falls from 1 m (S7's laboratory recordings: 38 x 38 cm).
--   fracas sweep chessboard.lua --vary release=true:false
-- Printed: its size and height, density, moduli, Gc. Filled in: 8 mm thick, a strength of 60 MPa, turned by 15 degrees.
local fall = param("fall", 1*m, {min = 5*cm, max = 5*m, help = "height of the fall"})
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local size, thick = 38*cm, 8*mm

scene { duration = 2*s, fps = 60, seed = 5 }
ground { material = "concrete" }
local half = size / 2
body { name = "board", material = "s7-ceramic", cells = 11*mm, crack = { shatter = { release = release } },
  shape = extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick },
  at = {0, 0, fall + 6*cm}, turn = {15, 6, 0} }

film { fps = 30 }
sound { gain = -20 }
