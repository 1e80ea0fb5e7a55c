-- rain.lua: soft cubes, wooden dice and steel balls drop in one after the other, and each is gone a while later.
local every = param("every", 0.16*s, {min = 0.02*s, max = 2*s, help = "time between two drops"})
local life = param("life", 1.1*s, {min = 0.1*s, max = 10*s, help = "how long each of them stays"})
local count = param("count", 14, {min = 1, max = 200, help = "how many drops"})

scene { duration = every * count + life, fps = 30, seed = 8 }
ground { material = "concrete" }
material { name = "gummy", base = "silicone", density = 1000, young = 120*kPa, poisson = 0.4,
           friction_static = 0.6, friction_dynamic = 0.5, restitution = 0.3, roughness = 0.35 }

-- a board to bounce on
local board = body { name = "board", material = "oak", model = "frame", shape = box { 70*cm, 30*cm, 3*cm }, cells = 6*cm,
  at = {0, 0, 16*cm}, turn = {0, 14, 0} }
fix { board }

local palette = { {0.80, 0.09, 0.06}, {0.90, 0.38, 0.03}, {0.16, 0.50, 0.13}, {0.05, 0.30, 0.62} }
for k = 1, count do
  local born = every * (k - 1)
  local at = {(math.random() - 0.7) * 30*cm, (math.random() - 0.5) * 14*cm, 50*cm}
  local turn = {math.random(-40, 40), math.random(-40, 40), 0}
  local kind, name = k % 3, "drop" .. k
  if kind == 1 then
    body { name = name, material = "gummy", shape = box { 7*cm, 7*cm, 7*cm, round = 1*cm }, cells = 2.4*cm,
      at = at, turn = turn, colour = palette[k % #palette + 1], born = born, dies = born + life }
  elseif kind == 2 then
    body { name = name, material = "oak", model = "frame", shape = box { 5*cm, 5*cm, 5*cm }, cells = 2.5*cm,
      at = at, turn = turn, velocity = {0, 0, -0.5}, born = born, dies = born + life }
  else
    sphere { 3*cm, name = name, material = "steel", at = at, born = born, dies = born + life }
  end
end

-- a lamp on a cord hangs about for a while, and a wiper sweeps the foot of the board
local lamp = sphere { 4*cm, name = "lamp", material = "brass", at = {45*cm, 0, 30*cm}, velocity = {0, 0.8, 0},
  born = 0.3*s, dies = 1.8*s }
cord { lamp, from = {45*cm, 0, 34*cm}, till = {45*cm, 0, 65*cm} }
local wiper = body { name = "wiper", material = "aluminium", model = "frame", shape = box { 3*cm, 40*cm, 9*cm }, cells = 5*cm,
  at = {30*cm, 0, 4.6*cm}, born = 0.5*s, dies = 2.2*s }
drive { wiper, velocity = {0.25, 0, 0} }

film { camera = { position = {0.35*m, -1.75*m, 0.62*m}, target = {0.08*m, 0, 0.2*m}, fov = 32 } }
