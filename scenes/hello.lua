-- hello.lua: six soft letters fall, squash and pile up.   fracas run scenes/hello.lua --set word=HELLO
local word = param("word", "FRACAS", {help = "up to eight letters"})
local fall = param("fall", 35*cm, {min = 5*cm, max = 2*m, help = "height of the lowest letter"})
local soft = param("soft", 60*kPa, {min = 5*kPa, max = 2*MPa, help = "Young's modulus of the letters"})

scene { duration = 6*s, fps = 30, seed = 3 }
ground { material = "concrete" }
material { name = "gummy", base = "silicone", density = 1000, young = soft, poisson = 0.4,
           friction_static = 0.6, friction_dynamic = 0.5, restitution = 0.3, roughness = 0.35 }

local palette = {
  {0.80, 0.09, 0.06}, {0.90, 0.38, 0.03}, {0.86, 0.66, 0.05},
  {0.16, 0.50, 0.13}, {0.05, 0.30, 0.62}, {0.35, 0.10, 0.50},
}
local count = math.min(#word, 8)
for k = 1, count do
  local x = (k - (count + 1) / 2) * 19*cm
  -- they come down one after the other and drift to the middle, so that they end on one pile
  body {
    name = "letter" .. k, material = "gummy", colour = palette[(k - 1) % #palette + 1],
    shape = turn { text { word:sub(k, k), size = 20*cm, height = 7*cm, round = 12*mm }, by = {90, 0, 0} },
    at = {x, 1*cm * math.random(-3, 3), fall + 10*cm + ((k * 5) % count) * 6*cm},
    turn = {math.random(-15, 15), math.random(-40, 40), math.random(-25, 25)},
    velocity = {-x * 1.5, 0, 0}, cells = 17*mm,
  }
end

film { camera = "auto" }
