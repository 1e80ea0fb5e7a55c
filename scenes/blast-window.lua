-- blast-window.lua: a pressure wave runs into a pane that is clamped all round.
local peak = param("peak", 0.1*atm, {min = 0, max = 5*atm, help = "overpressure of the front"})
local stuff = param("stuff", "acrylic", {choices = {"acrylic", "glass", "pvc", "aluminium"}})
local pane_size, thick, clamp = 60*cm, 6*mm, 2*cm

scene { duration = 60*ms, fps = 1000, seed = 1 }

local pane = body {
  name = "pane", material = stuff, mesher = "structured", cells = 2*cm,
  shape = box { pane_size, thick, pane_size }, at = {0, 0, 50*cm},
}
local edge = pane_size / 2 - clamp
for _, where in ipairs {
  below { x = -edge }, above { x = edge }, below { z = -edge }, above { z = edge },
} do
  fix { pane, where = where }
end

blast { pane, origin = {10*cm, -1.5*m, 60*cm}, peak = peak, decay = 4*ms, start = 1*ms }

film { camera = { position = {1.1*m, -1.3*m, 0.9*m}, target = {0, 0, 50*cm} }, look = "stress", fps = 30 }
