-- poke.lua: an elastic figure is poked and pulled by a hand, and swings (S1 figure 7).
-- Printed: a figure poked and pulled with a cursor. Filled in: a blob with ears on a foot that is held, 30 modes.
local pull = param("pull", 25, {min = 0, max = 200, help = "the most that the hand pulls, N"})
scene { duration = 2.4*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "figure", density = 1000, young = 60*kPa, poisson = 0.4, alpha1 = 3e-3 }
local shape = union { move { cylinder { radius = 8*cm, height = 4*cm }, by = {0, 0, 2*cm} }, move { ellipsoid { 6*cm, 5*cm, 11*cm }, by = {0, 0, 13*cm} },
  move { ball(6.5*cm), by = {0, 0, 25*cm} }, move { ellipsoid { 2*cm, 2*cm, 6*cm }, by = {4*cm, 0, 33*cm} },
  move { ellipsoid { 2*cm, 2*cm, 6*cm }, by = {-4*cm, 0, 33*cm} }, round = 15*mm }
local figure = body { name = "figure", material = "figure", colour = {0.3, 0.55, 0.35}, model = "modal", modes = 30, shape = shape, cells = 2.6*cm, coarse = true,
  at = {0, 0, 5*mm} }
fix { figure, where = below { z = 3*cm } }
-- first a poke at the belly, then a pull at the head
grab { figure, at = {0, -5*cm, 15*cm}, path = { {0.1*s, {0, -5*cm, 15*cm}}, {0.3*s, {0, 2*cm, 15*cm}} }, stiffness = 600, damping = 4, most = pull, release = 0.45*s }
grab { figure, at = {6*cm, 0, 27*cm}, path = { {0.9*s, {6*cm, 0, 27*cm}}, {1.4*s, {16*cm, -4*cm, 30*cm}} }, stiffness = 400, damping = 3, most = pull,
  release = 1.6*s }
film { camera = { position = {0.4*m, -1.2*m, 0.5*m}, target = {0.02*m, 0, 20*cm}, fov = 28 }, fps = 30 }
