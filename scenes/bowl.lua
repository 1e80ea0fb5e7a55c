-- bowl.lua: a porcelain bowl falls from a table and shatters; all moduli are those of handbooks.
--   fracas sweep bowl.lua --vary strength=20MPa:40MPa:80MPa
-- It lands tilted by 30 degrees, on the bend of its wall, and its largest shard is a fifth of it; at 14 degrees a third stays
-- together, and cracks follow the mesh more. Shards on their round side rock for a while, as real ones do.
local strength = param("strength", 40*MPa, {min = 1*MPa, max = 1*GPa, help = "of the porcelain"})
local fall = param("fall", 1.2*m, {min = 1*cm, max = 5*m, help = "height of the table"})
local cell = param("cell", 9*mm, {min = 3*mm, max = 3*cm, help = "edge of the tets"})
local stiffness = param("stiffness", 1, {min = 0.001, max = 1, help = "share of the handbook's modulus; the thesis takes 1/50"})
local lasts = param("lasts", 2.2*s, {min = 1*ms, max = 60*s, help = "duration; the last shard stops rocking before its end"})

scene { duration = lasts, fps = 120, seed = 2 }
ground { material = "concrete", colour = {0.06, 0.05, 0.045} }
material { name = "china", base = "porcelain", young = stiffness * 70*GPa, poisson = 0.22, strength = strength, restitution = 0.2,
  colour = {0.42, 0.43, 0.46}, roughness = 0.15 }

local gap = 4*mm                        -- the film begins here, at the speed that the bowl has then
body {
  name = "bowl", material = "china", model = "fem", cells = cell, crack = { upright = false, min_piece = 2, settle = 3*ms, pieces = { rigid_piece = 40, dust_piece = 3 },
    remeshing = { min_height = 0.15, snap_distance = 0.02, snap_angle = 2, snap_part = 0.25, together = 0.4 } },
  shape = lathe { {0, 0}, {28*mm, 0}, {50*mm, 12*mm}, {66*mm, 34*mm}, {74*mm, 60*mm}, wall = 6*mm },
  at = {0, 0, gap + 20*mm}, turn = {30, 0, 0}, velocity = {0, 0, -math.sqrt(2 * 9.81 * fall)},
}
film { camera = { position = {0.26*m, -0.5*m, 0.26*m}, target = {0, 0.02*m, 3*cm}, fov = 28 },
  fps = 30, burst = { rate = 10000, length = 8*ms, before = 0.2*ms, slow = 200 } }
sound { microphone = true, gain = -10 }   -- the breaking bowl, and its shards as they land, are heard
