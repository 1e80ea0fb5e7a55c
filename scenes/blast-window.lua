-- blast-window.lua: a pressure wave runs into a glass pane that is clamped all round (it does not break yet).
local peak = param("peak", 0.5*atm, {min = 0, max = 5*atm, help = "overpressure of the front"})
local stuff = param("stuff", "glass", {choices = {"glass", "acrylic", "pvc", "aluminium"}})
local size, thick, clamp, middle = 80*cm, 6*mm, 2*cm, 55*cm

scene { duration = 14*ms, fps = 5000, seed = 1, gravity = {0, 0, 0} }
ground { material = "concrete" }

local pane = body {
  name = "pane", material = stuff, mesher = "structured", cells = 3.2*cm,
  shape = box { size, thick, size }, at = {0, 0, middle},
}
local edge = size / 2 - clamp
for _, where in ipairs {
  below { x = -edge }, above { x = edge }, below { z = -edge }, above { z = edge },
} do
  fix { pane, where = where }
end

-- a wooden frame around it, to be seen only: it stays a hair away from the glass
local bar, gap = 6*cm, 1*mm
local long, off = size + 2 * (bar + gap), size / 2 + gap + bar / 2
for k, way in ipairs { {off, 0}, {-off, 0}, {0, off}, {0, -off} } do
  fix { body {
    name = "bar" .. k, material = "oak", model = "frame", cells = 20*cm,
    shape = box { way[1] ~= 0 and bar or long - 2 * bar, bar, way[1] ~= 0 and long or bar },
    at = {way[1], 0, middle + way[2]},
  } }
end

blast { pane, origin = {20*cm, -45*cm, 70*cm}, peak = peak, decay = 3*ms }

film {
  camera = { position = {1.6*m, -2.4*m, 1.15*m}, target = {4*cm, 0, 47*cm}, fov = 23 },
  look = "stress", fps = 30, slow = { at = "time", factor = 150, lasts = 2.1*s },
}
