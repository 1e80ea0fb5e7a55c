-- bunny.lua: a soft bunny tumbles down steps.
local stuff = param("stuff", "rubber", {choices = {"jelly", "silicone", "rubber", "foam"}})
local steps = param("steps", 3, {min = 1, max = 6})

scene { duration = 3*s, fps = 30, seed = 2 }
ground { material = "concrete" }

local run, rise, width = 22*cm, 9*cm, 60*cm
for k = 1, steps do
  local height = (steps + 1 - k) * rise
  local step = body {
    name = "step" .. k, material = "oak", model = "frame",
    shape = box { run, width, height }, cells = 8*cm,
    at = {(k - 0.5) * run, 0, height / 2},
  }
  fix { step }
end

body {
  name = "bunny", material = stuff,
  shape = scale { surface { "../assets/bunny.obj", up = "y" }, by = 0.02 },
  at = {12*cm, 0, steps * rise + 22*cm}, turn = {0, 0, 90},
  velocity = {0.7, 0, 0}, spin = {0, 120, 0}, cells = 16*mm, skin = "shape",
}

film { camera = "auto", slow = { at = "first-impact", factor = 10, lasts = 2*s } }
