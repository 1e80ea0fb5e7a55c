-- halves.lua: a turning beam falls into a soft half and a rigid one, which go on as their parts of it moved.
local apart = param("apart", 0.15*s, {min = 0.01*s, max = 0.3*s, help = "when it falls into halves"})

scene { duration = 0.8*s, fps = 60 }
ground { material = "concrete" }

local half = box { 10*cm, 5*cm, 5*cm }
body { name = "beam", material = "rubber", shape = box { 20*cm, 5*cm, 5*cm }, cells = 2.5*cm, mesher = "structured",
  at = {0, 0, 50*cm}, turn = {0, 20, 0}, velocity = {0.4, 0, 0.5}, spin = {0, 500, 120}, dies = apart }
for k, name in ipairs { "left", "right" } do
  body { name = name, parent = "beam", material = "rubber", model = k == 1 and "fem" or "frame", shape = half,
    cells = 2.5*cm, mesher = "structured", at = {(10*k - 15)*cm, 0, 0}, born = apart,
    colour = k == 1 and {0.80, 0.09, 0.06} or {0.05, 0.30, 0.62} }
end

film { camera = { position = {0.2*m, -1.3*m, 0.45*m}, target = {0.05*m, 0, 0.28*m}, fov = 28 } }
