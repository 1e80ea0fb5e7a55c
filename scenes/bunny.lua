-- bunny.lua: a soft bunny drops on a stair and tumbles down.
local stuff = param("stuff", "gelatine", {choices = {"jelly", "gelatine", "silicone", "rubber"}})
local steps = param("steps", 3, {min = 1, max = 6})

scene { duration = 2.5*s, fps = 60, seed = 2 }
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

-- assets/bunny.obj stands on z = 0, 16 cm tall; this one is half as large again
body {
  name = "bunny", material = stuff, colour = {0.78, 0.30, 0.24},
  shape = scale { surface { "../assets/bunny.obj", up = "z" }, by = 1.5 },
  at = {8*cm, 0, steps * rise + 8*cm}, turn = {0, 0, 60},
  velocity = {0.9, 0, 0}, spin = {0, 200, 0}, cells = 15*mm,
}

film { camera = "auto", fps = 30, slow = { at = "first-impact", factor = 4, lasts = 3*s } }
