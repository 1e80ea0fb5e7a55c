-- piggy.lua: a piggy bank with sixteen coins falls and breaks (S7's "poor piggy": 17 bodies become 64). The pig is ours: distance
-- fields, hollow, with a slot.
-- Printed: density, moduli, Gc, 16 coins, 3.2 s. Filled in: a pig 16 cm long with walls of 6 mm, a strength of 40 MPa (earthenware),
-- a fall from 1 m, coins of brass 22 mm wide.
local fall = param("fall", 1*m, {min = 5*cm, max = 5*m, help = "height of the fall"})
local coins = param("coins", 16, {min = 0, max = 24, help = "how many coins are in it"})
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local wall = 6*mm

scene { duration = 2*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "pig", base = "s7-ceramic", strength = 40*MPa, colour = {0.80, 0.42, 0.44}, roughness = 0.25 }

local parts = { ellipsoid { 62*mm, 50*mm, 50*mm }, move { ball(33*mm), by = {56*mm, 0, 12*mm} },
  move { turn { cylinder { radius = 14*mm, height = 26*mm, round = 3*mm }, by = {0, 90, 0} }, by = {84*mm, 0, 10*mm} } }
for x = -1, 1, 2 do for y = -1, 1, 2 do           -- legs
  parts[#parts + 1] = move { cylinder { radius = 13*mm, height = 34*mm, round = 3*mm }, by = {x * 32*mm, y * 26*mm, -42*mm} }
end end
local ears = {}
for y = -1, 1, 2 do
  ears[#ears + 1] = move { turn { ellipsoid { 6*mm, 11*mm, 16*mm }, by = {y * -25, -15, 0} }, by = {50*mm, y * 22*mm, 42*mm} }
end
parts.round = 8*mm
local pig = difference { shell { union(parts), thickness = wall },
  move { box { 36*mm, 6*mm, 40*mm }, by = {-6*mm, 0, 50*mm} } }
local low = 52*mm
body { name = "piggy", material = "pig", shape = union { pig, ears[1], ears[2], round = 3*mm }, at = {0, 0, fall + low},
  turn = {78, 25, 0}, crack = { shatter = { release = release } } }
for k = 0, coins - 1 do                              -- four piles, loosely
  local pile, level = k % 4, k // 4
  body { name = "coin" .. k + 1, material = "brass", model = "frame", cells = 4*mm, shape = cylinder { radius = 11*mm, height = 2.4*mm },
    at = {(pile % 2) * 25*mm - 14*mm, (pile // 2) * 25*mm - 12.5*mm, fall + low - 18*mm + level * 7*mm + pile * 1*mm} }
end

film { camera = { position = {0.5*m, -0.75*m, 0.38*m}, target = {0, 0, 8*cm}, fov = 32 }, fps = 30 }
sound { gain = -10 }
