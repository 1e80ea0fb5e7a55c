-- blocks-and-boxes.lua: a stack of hollow wooden cubes is knocked over (S4 table 1): blocks of 5 cm, or boxes of 50 cm.
--   fracas run scenes/papers/blocks-and-boxes.lua --set size=50cm     the same tones, ten times lower
local size = param("size", 5*cm, {min = 1*cm, max = 1*m, help = "edge of a cube"})
local rows = param("rows", 4, {min = 1, max = 6, help = "cubes in the lowest row"})
local wall = 0.05 * size                                   -- as printed
-- what is ten times as large takes sqrt(10) times as long to fall
local pace = math.sqrt(size / (5*cm))

scene { duration = 1.3*s * pace, fps = 60 / pace, seed = 5 }
material { name = "cube", base = "s4-blocks", restitution = 0.35, friction_static = 0.35, friction_dynamic = 0.3 }
material { name = "floor", base = "concrete", restitution = 0.35, friction_static = 0.4, friction_dynamic = 0.35 }
ground { material = "floor" }

local colours = { {0.72, 0.12, 0.08}, {0.85, 0.55, 0.08}, {0.10, 0.36, 0.55}, {0.20, 0.45, 0.18}, {0.66, 0.42, 0.22} }
local number = 0
for row = 1, rows do
  for k = 1, rows + 1 - row do
    number = number + 1
    body { name = "cube" .. number, material = "cube", model = "frame", cells = size / 8,
      shape = shell { box { size, size, size }, thickness = wall }, colour = colours[(number - 1) % #colours + 1],
      at = {(k - (rows + 2 - row) / 2) * 1.09 * size, 0.02 * size * math.random(-2, 2), (row - 0.5) * size},
      turn = {0, 0, math.random(-4, 4)} }
  end
end

-- a ball of the same wood comes rolling
sphere { name = "ball", radius = 0.5 * size, mass = 3 * 550*kg/m^3 * 0.271 * size^3, material = "cube", colour = {0.9, 0.9, 0.85},
  at = {-0.25 * size, -4.5 * size, 0.9 * size}, velocity = {0, 2.1*m/s * pace, 0.35*m/s * pace} }

film { spectrogram = true, camera = { position = {4.5 * size, -11 * size, 5 * size}, target = {0, 1.2 * size, 0.95 * size}, fov = 34 } }
sound { gain = size > 20*cm and -6 or 0 }
