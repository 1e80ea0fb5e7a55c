-- window.lua: a steel ball smashes a thick window; low Gc makes more and smaller shards (S7 figure 4: 57 and 89 pieces).
--   fracas sweep window.lua --vary Gc=50:120
-- Printed: density, moduli, Gc of 50 and 120. Filled in: a pane of 60 x 60 x 0.8 cm that stands on the floor and leans
-- on a beam, a strength of 45 MPa, a ball of 1.8 kg.
local Gc = param("Gc", 120, {min = 10, max = 1000, help = "energy of its cracks, J/m^2: 50 and 120 in figure 4"})
local speed = param("speed", 8*m/s, {min = 0.1, max = 40, help = "of the ball"})
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local size, thick, r = 60*cm, 8*mm, 38*mm

scene { duration = 2*s, fps = 60, seed = 2 }
ground { material = "concrete" }
material { name = "window", base = "s7-glass", Gc = Gc }
local half = size / 2
body { name = "pane", material = "window", cells = 15*mm, crack = { shatter = { release = release } },
  shape = extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick },
  at = {0, 0, half + 1*mm}, turn = {90, 0, 0} }
local lead = 10*ms                       -- the ball is there before the pane has tipped
sphere { r, name = "ball", material = "steel", at = {3*cm, -thick / 2 - r - lead * speed, half + 5*cm}, velocity = {0, speed, 0} }

film { camera = { position = {1.1*m, -1.6*m, 0.8*m}, target = {0, 0.1*m, 0.25*m}, fov = 32 }, fps = 30 }
sound { gain = -20 }
