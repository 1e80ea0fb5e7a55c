-- bar-modes.lua: a bar bent in its second mode, a little and far: modes are linear, so what bends far grows (S1 figure 2).
-- Printed: the second transverse mode of a bar. Filled in: three bars of 60 x 6 x 6 cm, dragged at three places, 2, 6 and 12 cm; a bar of fem
-- beside them is dragged as the last one.
local far = param("far", 12*cm, {min = 1*cm, max = 30*cm, help = "how far the last one bends"})
scene { duration = 1.2*s, fps = 60, seed = 1, gravity = {0, 0, 0} }
material { name = "bar", density = 1000, young = 200*kPa, poisson = 0.35, alpha1 = 8e-3 }
for k, by in ipairs { far / 6, far / 2, far, far } do
  local y = (k - 2.5) * 22*cm
  local bar = body { name = "bar" .. k, material = "bar", colour = k == 4 and {0.3, 0.5, 0.3} or {0.65, 0.3, 0.15}, model = k == 4 and "fem" or "modal",
    modes = 12, shape = box { 60*cm, 6*cm, 6*cm }, cells = 3*cm, at = {0, y, 50*cm} }
  -- free ends, and two humps of opposite sign
  for j, x in ipairs { -30*cm, -12*cm, 12*cm, 30*cm } do
    local up = (j % 2 == 0 and 1 or -1) * (j < 3 and 1 or -1) * by * (j == 1 and 1 or j == 4 and -1 or 1)
    if j == 4 then up = by elseif j == 1 then up = -by elseif j == 2 then up = by * 0.8 else up = -by * 0.8 end
    drag { bar, at = {x, y, 50*cm}, path = { {0, {x, y, 50*cm}}, {0.8*s, {x, y, 50*cm + up}} } }
  end
end
film { camera = { position = {0.75*m, -1.6*m, 1.15*m}, target = {0, 0, 50*cm}, fov = 32 }, fps = 30 }
