-- letters.lua: "The End" falls and breaks (S2 figure 14, table 1).
-- Printed: lambda, mu, psi, density, and tau, which is a force and belongs to tets of this size. Filled in: letters of 20 cm,
-- 6 cm thick, the upper word falling on the lower from half a metre.
local words = param("words", "THEEND", {help = "six letters, or fewer"})
local cell  = param("cell", 25*mm, {min = 1*cm, max = 10*cm, help = "edge of the tets"})
local speed = param("speed", 4*m/s, {min = 0, max = 20, help = "at which they land"})

scene { duration = 0.3*s, fps = 120, seed = 9, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
for k = 1, math.min(#words, 6) do
  local row, place = (k - 1) // 3, (k - 1) % 3 - 1
  body { name = "letter" .. k, material = "s2-the-end", cells = cell, colour = row == 0 and {0.75, 0.32, 0.10} or {0.16, 0.30, 0.55},
    shape = turn { text { words:sub(k, k), size = 20*cm, height = 6*cm }, by = {90, 0, 0} },
    at = {place * 21*cm + row * 3*cm, 0, row == 0 and 35*cm or 11*cm},
    turn = {0, place * 8, row == 0 and 10 * place or 0}, velocity = {0, 0, -speed} }
end
film { camera = { position = {0.35*m, -1.8*m, 0.5*m}, target = {0, 0, 18*cm}, fov = 26 },
  fps = 30, slow = { at = "first-crack", factor = 8, lasts = 2*s } }
