-- bunny.lua: a soft bunny drops on a stair and tumbles down.
local stuff = param("stuff", "gelatine", {choices = {"jelly", "gelatine", "silicone", "rubber"}})
local steps = param("steps", 3, {min = 1, max = 6})

scene { duration = 2*s, fps = 60, seed = 2 }
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
  name = "bunny", material = stuff, colour = {0.78, 0.30, 0.24},
  shape = scale { union(parts), by = 1.5 },
  at = {8*cm, 0, steps * rise + 8*cm}, turn = {0, 0, 60},
  velocity = {0.9, 0, 0}, spin = {0, 200, 0}, cells = 14*mm,
}

film { camera = "auto", fps = 30, slow = { at = "first-impact", factor = 4, lasts = 3*s } }
