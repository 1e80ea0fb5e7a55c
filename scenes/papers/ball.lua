-- ball.lua: a rubber ball drops, bounces and rolls away, by 40 modes (S1, the sphere of its animations).
-- Printed: 80 nodes, 282 tets, 40 modes (table 1). Filled in: 20 cm across, rubber of 150 kPa, a fall of 60 cm with a push.
local fall = param("fall", 60*cm, {min = 1*cm, max = 5*m, help = "height of the fall"})
local modes = param("modes", 40, {min = 0, max = 200, help = "how many modes it has"})
scene { duration = 2*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "rubber ball", density = 1000, young = 150*kPa, poisson = 0.4, alpha1 = 4e-4, restitution = 0.5 }
body { name = "ball", material = "rubber ball", colour = {0.75, 0.12, 0.08}, model = "modal", modes = modes,
  shape = ball(10*cm), cells = 5.8*cm, at = {-50*cm, 0, fall + 10*cm}, velocity = {0.6, 0, 0} }
film { camera = { position = {0.3*m, -2.6*m, 0.7*m}, target = {0.05*m, 0, 28*cm}, fov = 28 }, fps = 30 }
