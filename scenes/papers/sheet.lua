-- sheet.lua: a soft sheet held along one edge swings under its weight; a ball lands on it (S1, the sheet of its animations).
-- Printed: 195 nodes, 486 tets, 20 modes; the edge is taken out before the modes are found. Filled in: 60 x 40 x 2 cm of rubber, a ball of cork.
local modes = param("modes", 20, {min = 1, max = 200, help = "how many modes it has"})
scene { duration = 2*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "sheet rubber", density = 900, young = 30*MPa, poisson = 0.35, alpha1 = 1e-3, restitution = 0.2 }
local sheet = body { name = "sheet", material = "sheet rubber", colour = {0.1, 0.3, 0.6}, model = "modal", modes = modes,
  shape = box { 60*cm, 40*cm, 2*cm }, cells = 5.5*cm, at = {0, 0, 60*cm} }
fix { sheet, where = below { x = -29*cm } }
sphere { name = "ball", radius = 4*cm, material = "cork", mass = 60*g, at = {12*cm, 3*cm, 110*cm} }
film { camera = { position = {0.9*m, -2.2*m, 1.1*m}, target = {0, 0, 52*cm}, fov = 28 }, fps = 30 }
