-- walls-ductile.lua: thin walls from brittle to plastic, each hit by a heavy ball (S3 figure 3).
--   fracas sweep walls-ductile.lua --vary wall=1:2:3:4:5:6:7:8
-- Printed: eight thin walls, four pairs of (gamma1, gamma2): (0, 0), (.001, .486), (.001, .162), (.001, .006); they are in
-- the paper's doubled strain and halved here. Filled in: the other four, in steps of three; the iron of S6 table 6.3; a wall
-- of 1 x 1 x 0.04 m clamped at its foot, a ball of 12 cm radius at 16 m/s. "Heavy" means more than the wall, which weighs 300 kg: with
-- 60 kg all that the ball brings goes into bending, and nothing tears.
local wall  = param("wall", 3, {min = 1, max = 8, help = "1 is brittle; 2 to 4 yield later and later, 5 to 8 bear less and less plastic strain"})
local speed = param("speed", 16*m/s, {min = 0, max = 40, help = "of the ball"})
local mass  = param("mass", 600*kg, {min = 1*kg, max = 100000*kg, help = "of the ball"})
local cell  = param("cell", 70*mm, {min = 1*cm, max = 20*cm, help = "edge of the tets"})
local gamma = ({ {0, 0}, {.0001, .162}, {.001, .162}, {.01, .162}, {.001, .486}, {.001, .054}, {.001, .018}, {.001, .006} })[math.floor(wall)]
local size, thick, r = 1*m, 4*cm, 12*cm

scene { duration = 0.2*s, fps = 150, seed = 6, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
material { name = "wall", base = "s6-iron", yield_strain = gamma[1] / 2, plastic_limit = gamma[2] / 2 }
local half = size / 2
local sheet = body {
  name = "wall", material = "wall", cells = cell, at = {0, 0, half},
  shape = turn { extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick }, by = {90, 0, 0} },
}
fix { sheet, where = below { z = 2*cm - half } }
sphere { r, name = "ball", mass = mass, material = "iron", at = {0, -thick / 2 - r - 2*mm, 0.6*m}, velocity = {0, speed, 0} }

film { camera = { position = {1.5*m, -2.3*m, 1.2*m}, target = {0, 20*cm, 45*cm}, fov = 25 },
  fps = 30, slow = { at = "first-impact", factor = 8, lasts = 2*s } }
