-- bat.lua: a bat swings about its grip and strikes a ball (S1, the bat of its animations).
-- Printed: 310 nodes, 1,030 tets, 20 modes. Filled in: a soft bat of 84 cm on a hinge, with a spin at first; a ball of cork.
local spin = param("spin", 500, {min = 10, max = 2000, help = "degrees a second at the start"})
scene { duration = 0.8*s, fps = 120, seed = 1, gravity = {0, 0, 0} }
material { name = "bat rubber", density = 700, young = 8*MPa, poisson = 0.35, alpha1 = 4e-4, restitution = 0.4 }
local line = { {0, 0}, {1.6*cm, 0}, {1.6*cm, 30*cm}, {3.2*cm, 60*cm}, {3.4*cm, 80*cm}, {2.2*cm, 84*cm}, {0, 84*cm} }
local bat = body { name = "bat", material = "bat rubber", colour = {0.62, 0.42, 0.2}, model = "modal", modes = 20,
  shape = lathe(line), mesher = "stuffing", cells = 2.9*cm, coarse = true, at = {0, 0, 1*m}, turn = {90, 0, 0}, spin = {0, 0, spin},
  velocity = {math.rad(spin) * 0.47, 0, 0} }
hinge { bat, at = {0, -5*cm, 1*m}, axis = {0, 0, 1} }
sphere { name = "ball", radius = 3.7*cm, mass = 145*g, material = "cork", at = {45*cm, -55*cm, 1*m}, velocity = {-1, 0, 0} }
film { camera = { position = {0.4*m, -1.1*m, 3.4*m}, target = {0.2*m, -0.35*m, 1*m}, fov = 34 }, fps = 30,
  slow = { at = "first-impact", factor = 8, lasts = 3*s } }
