-- bunny.lua: a soft bunny drops on a stair and tumbles down.
local soft = param("soft", 150*kPa, {min = 20*kPa, max = 2*MPa, help = "Young's modulus of the bunny"})
local steps = param("steps", 3, {min = 1, max = 6})

scene { duration = 1.3*s, fps = 60, seed = 2, contact = { stiffness = 2 } }
material { name = "gummy", base = "silicone", density = 1000, young = soft, poisson = 0.42 }
ground { material = "concrete" }

local run, rise, width = 22*cm, 10*cm, 50*cm
for k = 1, steps do
  local height = (steps + 1 - k) * rise
  local step = body {
    name = "step" .. k, material = "oak", model = "frame",
    shape = box { run, width, height }, cells = 10*cm,
    at = {(k - 0.5) * run, 0, height / 2},
  }
  fix { step }
end

-- assets/bunny.obj stands on z = 0, 16 cm tall. Its ears are thin blades: balls along them make
-- them fat enough for cells of 14 mm
local parts = { surface { "../assets/bunny.obj", up = "z" }, round = 6*mm }
local function fatten(from, to)
  for k = 0, 5 do
    local at = {}
    for i = 1, 3 do at[i] = (from[i] + (to[i] - from[i]) * k / 5) * mm end
    parts[#parts + 1] = move { ball(8*mm), by = at }
  end
end
fatten({-38, -8, 123}, {-4, 19, 153})
fatten({-48, 2, 120}, {-56, 52, 149})
body {
  name = "bunny", material = "gummy", colour = {0.78, 0.30, 0.24},
  shape = scale { union(parts), by = 1.5 },
  at = {8*cm, 0, steps * rise + 8*cm}, turn = {0, 0, 60},
  velocity = {0.9, 0, 0}, spin = {0, 200, 0}, cells = 14*mm,
}

film { camera = "auto", fps = 30, slow = { at = "first-impact", factor = 4, lasts = 3*s } }
