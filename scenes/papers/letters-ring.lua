-- letters-ring.lua: letters of a stiff, quickly damped material fall and ring on the ground (S4 table 1, "The End").
--   fracas run scenes/papers/letters-ring.lua --set size=40cm      larger and lower
local size = param("size", 20*cm, {min = 2*cm, max = 1*m, help = "height of a capital"})
local word = param("word", "THE END", {help = "capitals and spaces"})

scene { duration = 2*s, fps = 60, seed = 7 }
material { name = "letter", base = "s4-the-end", restitution = 0.4, friction_static = 0.4, friction_dynamic = 0.35, roughness = 0.3 }
material { name = "floor", base = "concrete", restitution = 0.4, friction_static = 0.4, friction_dynamic = 0.35 }
ground { material = "floor" }

-- two lines: what comes before the space, and what comes after it
local lines = {}
for part in word:gmatch("%S+") do lines[#lines + 1] = part end
local colours = { {0.55, 0.10, 0.06}, {0.62, 0.40, 0.06}, {0.12, 0.32, 0.42}, {0.25, 0.38, 0.10}, {0.40, 0.16, 0.36}, {0.10, 0.24, 0.50} }
local number = 0
for row, part in ipairs(lines) do
  for k = 1, #part do
    number = number + 1
    body { name = part:sub(k, k) .. number, material = "letter", model = "frame", cells = size / 8,
      shape = turn { text { part:sub(k, k), size = size, height = 0.22 * size }, by = {90, 0, 0} },
      colour = colours[(number - 1) % #colours + 1],
      at = {(k - (#part + 1) / 2) * 1.05 * size, (row - 1.5) * -1.7 * size, size * (0.75 + 0.3 * number)},
      turn = {math.random(-45, -20), math.random(-12, 12), math.random(-12, 12)} }
  end
end

film { spectrogram = true, camera = { position = {1.5 * size, -7 * size, 3.4 * size}, target = {0.2 * size, -0.4 * size, 1.05 * size}, fov = 36 } }
sound { gain = -6 }
