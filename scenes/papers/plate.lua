-- plate.lua: a ceramic dinner plate falls, breaks, and its pieces settle (S7 section 6, table 3: 17 pieces).
--   fracas run plate.lua --set breaks=false      the same fall without breaking: it spins and settles on its rim
-- Printed: density, moduli, Gc. Filled in: a plate 26 cm across with a wall of 5 mm, a strength of 60 MPa, 75 cm.
local breaks = param("breaks", true)
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local fall = param("fall", 75*cm, {min = 5*cm, max = 5*m, help = "height of the fall"})
local Gc = param("Gc", 200, {min = 1, max = 1000, help = "energy of its cracks, J/m^2"})

scene { duration = 2.5*s, fps = 60, seed = 7 }
ground { material = "granite", colour = {0.10, 0.09, 0.08} }
material { name = "plate", base = "s7-ceramic", Gc = Gc, colour = {0.60, 0.64, 0.70}, roughness = 0.2 }
body { name = "plate", material = "plate", cells = 6*mm, crack = { off = not breaks, shatter = { release = release } },
  shape = lathe { {0, 0}, {75*mm, 0}, {88*mm, 4*mm}, {105*mm, 16*mm}, {130*mm, 22*mm}, wall = 5*mm },
  at = {0, 0, fall + 9*cm}, turn = {70, 0, 0}, spin = {0, 20, 0} }

film { fps = 30 }
sound { gain = -15 }
