-- glass-slab.lua: a slab of glass falls flat on the ground, one edge ahead (S7 section 6, table 3: 72 pieces).
--   fracas sweep glass-slab.lua --vary release=true:false
-- Printed: density, moduli, Gc. Filled in, for two cores: 30 x 30 x 0.6 cm, a strength of 45 MPa, 1 m, turned by 12 degrees.
local fall = param("fall", 1*m, {min = 5*cm, max = 5*m, help = "height of the fall"})
local Gc = param("Gc", 80, {min = 1, max = 1000, help = "energy of its cracks, J/m^2"})
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local size, thick = 30*cm, 6*mm

scene { duration = 2*s, fps = 60, seed = 4 }
ground { material = "granite", colour = {0.10, 0.09, 0.08} }
material { name = "slab", base = "s7-glass", Gc = Gc }
local half = size / 2
body { name = "slab", material = "slab", cells = 9*mm, crack = { shatter = { release = release } },
  shape = extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick },
  at = {0, 0, fall + 4*cm}, turn = {12, 5, 0} }

film { fps = 30 }
sound { gain = -20 }
