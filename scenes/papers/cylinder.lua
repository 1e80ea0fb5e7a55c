-- cylinder.lua: a solid cylinder is pulled and twisted apart (S3 figure 4).
-- Printed: nothing but that it is solid and ductile. Filled in: radius 10 cm, height 40 cm; the lead of S6 table 6.4 with a
-- strength instead of tau, so that any mesh breaks alike; a tender middle; pulled at 0.8 m/s and turned at 800 degrees a second. Pulled
-- faster, at 2 m/s, it tears beside its upper end: what flows at one stress carries strain away no faster than it yields. Tets by stuffing:
-- those made by rule lie in layers, along one of which it would snap flat.
local pull  = param("pull", 0.8*m/s, {min = 0, max = 20, help = "speed of the top"})
local twist = param("twist", 800, {min = 0, max = 10000, help = "degrees per second"})
local cell  = param("cell", 45*mm, {min = 5*mm, max = 10*cm, help = "edge of the tets"})
local limit = param("limit", 0.4, {min = 0, max = 0.55, help = "largest plastic strain"})
local r, height = 10*cm, 40*cm

scene { duration = 0.34*s, fps = 150, seed = 5, gravity = {0, 0, 0}, step = { damping_limit = 1e9 } }  -- damping as it is printed
material { name = "cylinder", base = "s6-lead", colour = {0.62, 0.36, 0.20}, tau = 0, strength = 8*MPa, yield_strain = 0.0005, plastic_limit = limit }
local rod = body { name = "cylinder", material = "cylinder", cells = cell, mesher = "stuffing",
  shape = cylinder { radius = r, height = height }, at = {0, 0, height / 2} }
fix   { rod, where = below { z = 3*cm - height / 2 } }
drive { rod, where = above { z = height / 2 - 3*cm }, velocity = {0, 0, pull}, spin = {0, 0, twist}, about = {0, 0, 0} }
weaken { rod, where = inside { move { box { 30*cm, 30*cm, 12*cm }, by = {0, 0, 0} } }, by = {0.5, 0.8}, size = 4*cm }

film { camera = { position = {0.9*m, -1.9*m, 0.7*m}, target = {0, 0, 33*cm}, fov = 23 }, fps = 30,
  slow = { at = "time", time = 0, factor = 15, lasts = 5.1*s } }
