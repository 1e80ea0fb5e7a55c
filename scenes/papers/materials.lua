-- materials.lua: a plate of each material of the thesis is hit by a heavy ball (S6 section 6.2, tables 6.2 to 6.9).
--   fracas sweep materials.lua --vary material=glass:iron:lead:ceramic:polystyrene:soft-vinyl:hard-vinyl:rubber
-- Printed: every number of the materials (moduli are 1/50 of handbooks'). Filled in: a plate of 1 x 1 x 0.05 m clamped
-- at its foot, a ball of 12 cm radius and 60 kg at 8 m/s.
local made_of = param("material", "glass", {choices = {"glass", "iron", "lead", "ceramic", "polystyrene", "soft-vinyl", "hard-vinyl", "rubber"}})
local speed = param("speed", 8*m/s, {min = 0, max = 40, help = "of the ball"})
local cell  = param("cell", 70*mm, {min = 1*cm, max = 20*cm, help = "edge of the tets"})
local size, thick, r = 1*m, 5*cm, 12*cm

scene { duration = 0.2*s, fps = 150, seed = 6, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
local half = size / 2
local plate = body {
  name = "plate", material = "s6-" .. made_of, cells = cell, at = {0, 0, half},
  shape = turn { extrude { {-half, -half}, {half, -half}, {half, half}, {-half, half}, height = thick }, by = {90, 0, 0} },
}
fix { plate, where = below { z = 2*cm - half } }
sphere { r, name = "ball", mass = 60*kg, material = "iron", at = {0, -thick / 2 - r - 2*mm, 0.6*m}, velocity = {0, speed, 0} }

film { camera = { position = {1.5*m, -2.3*m, 1.2*m}, target = {0, 20*cm, 45*cm}, fov = 25 },
  fps = 30, slow = { at = "first-impact", factor = 8, lasts = 2*s } }
