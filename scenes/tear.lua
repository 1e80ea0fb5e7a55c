-- tear.lua: a sheet of soft vinyl with a notch is torn in two, as one tears paper.
local speed = param("speed", 3*m/s, {min = 0.1, max = 20, help = "at which the two supports part"})
local cell  = param("cell", 16*mm, {min = 4*mm, max = 5*cm, help = "edge of the tets"})
local way   = param("way", 30*cm, {min = 1*cm, max = 1*m, help = "that each hand goes"})
local lasts = param("lasts", 1.3*s, {min = 1*ms, max = 60*s, help = "how long it goes on; the supports stop after 0.1 s"})
local wide, high, thick = 30*cm, 40*cm, 4*mm

scene { duration = lasts, fps = 200, seed = 3 }
-- what vinyl loses at 20 Hz (0.15), asked of its mass: of the stiffness' share steps leave a hundredth, and the halves would swing for minutes
material { name = "sheet", base = "vinyl", alpha2 = 19, yield_strain = 0.03, plastic_limit = 0.4, strength = 6*MPa, colour = {0.70, 0.12, 0.08} }
local x, z = wide / 2, high / 2
local sheet = body {
  name = "sheet", material = "sheet", cells = cell, at = {0, 0, z}, crack = { toughness = {0.4, 1, 1}, remeshing = { min_height = 0.2 } },  -- as paper, it has a grain
  shape = turn { extrude { {-x, -z}, {x, -z}, {x, z}, {8*mm, z}, {0, z - 8*cm}, {-8*mm, z}, {-x, z}, height = thick }, by = {90, 0, 0} },
}
fix { sheet, where = below { z = 3*cm - z } }
-- the supports go as far as the tear needs to come near the lower end, and stop there
for _, side in ipairs { -1, 1 } do
  drive { sheet, where = inside { move { box { 12*cm, 2*cm, 4*cm }, by = {side * 9*cm, 0, z} } },
    path = { {0, {0, 0, 0}}, {way / speed, {0, side * way, -0.3 * way}} } }
end

film { camera = { position = {0.9*m, -1.1*m, 0.6*m}, target = {0, 0, 20*cm}, fov = 25 },
  fps = 30, slow = { at = "time", time = 0, factor = 20, lasts = 5*s } }
