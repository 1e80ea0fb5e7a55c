-- bowl-modes.lua: three bowls, each pressed into one of its first shapes and let go (S1 figure 4).
-- Printed: the first three modes with distinct frequencies that a blow on the rim excites: two, three and four waves. Filled in: soft bowls of 20 cm,
-- dragged at their rims.
local by = param("by", 1.5*cm, {min = 1*mm, max = 5*cm, help = "how far the rim is moved"})
scene { duration = 1.5*s, fps = 120, seed = 1, gravity = {0, 0, 0} }
material { name = "bowl rubber", density = 1000, young = 2*MPa, poisson = 0.35, alpha1 = 3e-4 }
local line = {}
for j = 0, 8 do
  local a = math.rad(90 * j / 8)
  line[j + 1] = { 10*cm * math.sin(a), 10*cm * (1 - math.cos(a)) }
end
line.wall = 12*mm
for k = 2, 4 do
  local x = (k - 3) * 32*cm
  local bowl = body { name = "bowl" .. k, material = "bowl rubber", colour = {0.2, 0.35, 0.5}, model = "modal", modes = 60,
    shape = lathe(line), cells = 1.6*cm, at = {x, 0, 40*cm} }
  for j = 0, 2 * k - 1 do
    local a, r = math.pi * j / k, 9.8*cm
    local way = (j % 2 == 0 and 1 or -1) * by
    local px, py = x + r * math.cos(a), r * math.sin(a)
    drag { bowl, at = {px, py, 49.5*cm}, release = 0.5*s,
      path = { {0, {px, py, 49.5*cm}}, {0.4*s, {px + way * math.cos(a), py + way * math.sin(a), 49.5*cm}} } }
  end
end
film { camera = { position = {0.0*m, -0.9*m, 1.35*m}, target = {0, 0, 45*cm}, fov = 40 }, fps = 30,
  slow = { at = "time", time = 0.45*s, factor = 4, lasts = 2*s } }
