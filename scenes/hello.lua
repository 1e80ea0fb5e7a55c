-- hello.lua: soft letters fall two by two, squash and pile up.   fracas run scenes/hello.lua --set word=HELLO
local word = param("word", "FRACAS", {help = "up to eight letters"})
local fall = param("fall", 12*cm, {min = 1*cm, max = 2*m, help = "height of the lowest letter"})
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
  local place = k - (count + 1) / 2
  local x, pair = place * 19*cm, math.floor(math.abs(place))
  local letter = body {
    name = "letter" .. k, material = "gummy", colour = palette[(k - 1) % #palette + 1],
    shape = turn { text { word:sub(k, k), size = 20*cm, height = 7*cm, round = 12*mm }, by = {90, 0, 0} },
    at = {x, 0, fall + 10*cm + pair * 13*cm},
    turn = {math.random(-8, 8), math.random(-14, 14), math.random(-20, 20)}, cells = 17*mm,
  }
  -- supported in the air, moved over the middle, let go: the innermost first, each pair a little apart
  local drop = 0.1*s + pair * 0.8*s + (place > 0 and 0.25*s or 0)
  local over = (place > 0 and 1 or -1) * 9*cm
  drive { letter, velocity = {pair > 0 and (over - x) / drop or 0, 0, 0}, release = drop }
end

film { camera = "auto" }
