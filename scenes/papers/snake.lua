-- snake.lua: a soft snake held by its head swings and coils: far turns without swelling (S5 figure 8, table 1).
--   fracas run scenes/papers/snake.lua
local young = param("young", 100*kPa, {min = 1*kPa, max = 100*MPa, help = "Young's modulus (S5 table 1: 100 kPa)"})

scene { duration = 4*s, fps = 30 }
ground { material = "concrete" }
material { name = "snake", base = "silicone", density = 1000, young = young, poisson = 0.33, friction_static = 0.5,
           friction_dynamic = 0.4, colour = {0.16, 0.38, 0.07}, roughness = 0.4 }

local parts = {}
local count = 9
for k = 0, count - 1 do -- thick in the middle, thin at the tail
  local u = k / (count - 1)
  local r = (1.5 + 2.6 * math.sin(math.pi * math.min(1, 0.25 + 0.72 * u))) * cm
  parts[#parts + 1] = move { ellipsoid { 7.5*cm, r, r }, by = { (u - 0.5) * 80*cm, 0, 0 } }
end
parts[#parts + 1] = move { ellipsoid { 7*cm, 4.6*cm, 3.4*cm }, by = { -44*cm, 0, 0.5*cm } } -- head
parts.round = 2*cm
local snake = body { name = "snake", material = "snake", model = "corot", shape = union(parts), at = {0, 0, 75*cm}, cells = 4.4*cm, coarse = true, skin = "shape" }
fix { snake, where = below { x = -44*cm } }
film { camera = "auto" }
