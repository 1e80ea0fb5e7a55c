-- mug.lua: a china mug falls off a table; how it lands decides how it breaks.
--   fracas sweep scenes/mug.lua --vary lands=side:rim:edge:base
local fall = param("fall", 75*cm, {min = 5*cm, max = 5*m, help = "height of the fall: a table's"})
local lands = param("lands", "edge", {choices = {"edge", "side", "rim", "base"}, help = "what of it hits the floor first"})
local strength = param("strength", 60*MPa, {min = 1*MPa, max = 1*GPa})
local Gc = param("Gc", 20, {min = 1, max = 1000, help = "energy of its cracks, J/m^2"})

scene { duration = 2*s, fps = 60, seed = 3 }
ground { material = "granite", colour = {0.10, 0.09, 0.08} }
material { name = "china", base = "porcelain", strength = strength, Gc = Gc, colour = {0.62, 0.66, 0.70}, roughness = 0.15 }

local r, high, wall = 42*mm, 95*mm, 5.5*mm
local cup = difference { cylinder { radius = r, height = high, round = 4*mm },
  move { cylinder { radius = r - wall, height = high }, by = {0, 0, 7*mm} } }
local ear = difference { move { turn { torus { radius = 26*mm, thickness = 5.5*mm }, by = {90, 0, 0} }, by = {r, 0, 0} },
  cylinder { radius = r - 1*mm, height = high } }
local turns = { edge = {25, 0, 0}, side = {90, 0, 0}, rim = {155, 0, 0}, base = {0, 0, 0} }
local a = math.rad(turns[lands][1])     -- the lowest point of the cup is at this height below its middle
local low = high / 2 * math.abs(math.cos(a)) + r * math.abs(math.sin(a))
body { name = "mug", material = "china", shape = union { cup, ear, round = 3*mm },
  at = {0, 0, fall + low}, turn = turns[lands] }

film { fps = 30 }
sound { gain = -15 }
