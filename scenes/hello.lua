-- hello.lua: six soft letters fall, squash and pile up.   fracas run scenes/hello.lua --set word=HELLO
local word = param("word", "FRACAS", {help = "up to eight letters"})
local stuff = param("stuff", "jelly", {choices = {"jelly", "silicone", "rubber", "foam"}})
local fall = param("fall", 30*cm, {min = 5*cm, max = 2*m, help = "height of the lowest letter"})

scene { duration = 6*s, fps = 30, seed = 3 }
ground { material = "concrete" }

local palette = {
  {0.80, 0.09, 0.06}, {0.90, 0.38, 0.03}, {0.86, 0.66, 0.05},
  {0.16, 0.50, 0.13}, {0.05, 0.30, 0.62}, {0.35, 0.10, 0.50},
}
local count = math.min(#word, 8)
for k = 1, count do
  local x = (k - (count + 1) / 2) * 20*cm
  -- the outer ones higher and drawn to the middle, so that they end on one pile
  body {
    name = "letter" .. k, material = stuff, colour = palette[(k - 1) % #palette + 1],
    shape = turn { text { word:sub(k, k), size = 20*cm, height = 6*cm }, by = {90, 0, 0} },
    at = {x, 2*cm * math.random(-1, 1), fall + 10*cm + (k - 1) * 12*cm},
    turn = {math.random(-12, 12), math.random(-25, 25), math.random(-20, 20)},
    velocity = {-x * 0.6, 0, 0}, cells = 15*mm,
  }
end

film { camera = "auto", slow = { at = "first-impact", factor = 8, lasts = 2*s } }
