-- blast-window.lua: a blast of three atmospheres breaks a window (S6 figure 6.7).
-- Printed: an overpressure of about 3 atm at the window; the glass of table 6.2. The thesis takes the pressure from a
-- simulated fluid. Filled in: a front from a point, falling to 1/e in 4 ms; a pane of 1.2 x 0.9 x 0.04 m in a frame.
local peak = param("peak", 3*atm, {min = 0, max = 10*atm, help = "overpressure of the front"})
local cell = param("cell", 70*mm, {min = 1*cm, max = 20*cm, help = "edge of the tets"})
local w, h, thick, bar, low = 1.2*m, 0.9*m, 4*cm, 8*cm, 5*mm
local middle = low + bar + h / 2

scene { duration = 0.16*s, fps = 150, seed = 1, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
local pane = body {
  name = "pane", material = "s6-glass", cells = cell, at = {0, 0, middle},
  shape = turn { extrude { {-w/2, -h/2}, {w/2, -h/2}, {w/2, h/2}, {-w/2, h/2}, height = thick }, by = {90, 0, 0} },
}
for _, where in ipairs { below { x = 3*cm - w/2 }, above { x = w/2 - 3*cm }, below { z = 3*cm - h/2 }, above { z = h/2 - 3*cm } } do
  fix { pane, where = where }
end
-- the frame is to be seen only: it stays a hair away from the glass and the ground
local gap = 1*mm
for k, way in ipairs { {1, 0}, {-1, 0}, {0, 1}, {0, -1} } do
  local tall = way[1] ~= 0
  fix { body { name = "bar" .. k, material = "oak", model = "frame", cells = 40*cm,
    shape = box { tall and bar or w + 2 * gap, bar, tall and h + 2 * (bar + gap) or bar },
    at = {way[1] * (w / 2 + gap + bar / 2), 0, middle + way[2] * (h / 2 + gap + bar / 2)} } }
end
blast { pane, origin = {30*cm, -1.5*m, middle + 10*cm}, peak = peak, decay = 4*ms }

film { camera = { position = {2.2*m, 3.2*m, 1.3*m}, target = {0, 30*cm, 45*cm}, fov = 25 },
  fps = 30, slow = { at = "first-crack", factor = 10, lasts = 2*s } }
