-- bowl.lua: a bowl falls, bounces and rolls on its edge; the same motion sounds in two materials (S4 figure 3, table 1).
--   fracas run bowl.lua --set material=s4-bowl-wood
--   fracas render out/bowl/run.fracas --strobe 14 -o bowl.png
-- Printed: moduli, damping and density of both, and their lowest tones, 551.3 and 216.7 Hz. Filled in: its form, and a size of 12.6 cm for which the
-- first one is met; the second one follows (fracas bench --papers).
local made_of = param("material", "s4-bowl", {choices = {"s4-bowl", "s4-bowl-wood"}, help = "rows of the table"})
local size = param("size", 12.61*cm, {min = 2*cm, max = 2*m, help = "width of its rim"})

scene { duration = 2.4*s, fps = 60, seed = 2 }
material { name = "floor", base = "concrete", restitution = 0.5, friction_static = 0.4, friction_dynamic = 0.35 }
material { name = "bowl", base = made_of, restitution = 0.5, friction_static = 0.4, friction_dynamic = 0.35, colour = {0.55, 0.35, 0.16} }
ground { material = "floor" }
local u = size / 168
body { name = "bowl", material = "bowl", model = "frame", cells = 6 * u,
  shape = lathe { {0, 0}, {35 * u, 0}, {62 * u, 14 * u}, {78 * u, 40 * u}, {84 * u, 62 * u}, wall = 9 * u },
  at = {-3.2 * size, 0, 2.2 * size}, turn = {35, 0, 0}, velocity = {0.9*m/s, 0, 0}, spin = {60, 30, 0} }
film { spectrogram = true, camera = { position = {-1.4 * size, -7 * size, 2.6 * size}, target = {-2.2 * size, 0, 0.9 * size}, fov = 32 } }
sound { gain = -6 }
