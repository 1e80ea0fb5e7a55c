-- wall.lua: a wrecking ball against an adobe wall that stands on the ground (S2 figure 9, table 1).
--   fracas run wall.lua --set heavy=true    the second wall, with 50 times the mass
local heavy = param("heavy", false, {help = "the ball of the second row: 50 times the mass"})
local speed = param("speed", 6*m/s, {min = 0, max = 30, help = "of the ball"})
local cell  = param("cell", 27*cm, {min = 5*cm, max = 50*cm, help = "edge of the tets"})
local size, thick, radius = {3*m, 2*m}, 30*cm, 40*cm

scene { duration = 0.6*s, fps = 60, seed = 1, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }

-- printed numbers; tau is a force (the table's N/m^2 is a slip) and belongs to tets of this size
material { name = "adobe", base = "brick", density = 2309,
  lambda = heavy and 0 or 6.03e8, mu = heavy and 1.81e8 or 1.21e8,
  phi = heavy and 0 or 3015, psi = heavy and 18090 or 6030,
  strength = 0, tau = 6030*N, crack_alpha = 0 }

local wall = body {
  name = "wall", material = "adobe", mesher = "structured", cells = cell,
  shape = box { size[1], thick, size[2] }, at = {0, 0, size[2] / 2},
}
fix { wall, where = below { z = 1*cm - size[2] / 2 } }

sphere {
  name = "ball", radius = radius, mass = heavy and 10000*kg or 200*kg, material = "iron",
  at = {20*cm, -thick / 2 - radius - 1*cm, 1.1*m}, velocity = {0, speed, 0},
}

film { camera = { position = {-2.6*m, -5.2*m, 2.2*m}, target = {0, 20*cm, 85*cm}, fov = 36 } }
