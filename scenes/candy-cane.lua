-- candy-cane.lua: two hands bend a candy cane until it snaps, and let its halves fall (S7 section 3.3: release without contact).
--   fracas sweep scenes/candy-cane.lua --vary release=true:false
-- Filled in: a stick 9 mm thick; hard candy of 20 GPa, 15 MPa and 3 J/m^2. Nobody sees the hands.
local release = param("release", true, {help = "does what was stored drive the pieces apart?"})
local strength = param("strength", 15*MPa, {min = 1*MPa, max = 1*GPa})
local lets_go = param("lets_go", 1.1*s, {min = 10*ms, max = 10*s, help = "when the hands open"})

scene { duration = 2*s, fps = 60, seed = 11 }
ground { material = "marble", colour = {0.10, 0.09, 0.08} }
material { name = "candy", base = "glass", density = 1500, young = 20*GPa, poisson = 0.25, strength = strength, Gc = 3, eta = 4e-3,
  colour = {0.70, 0.05, 0.06}, roughness = 0.2 }

local r, bow, high = 4.5*mm, 18*mm, 14*cm
local stick = turn { move { cylinder { radius = r, height = 11*cm, round = 3*mm }, by = {0, 0, -1.5*cm} }, by = {0, 90, 0} }
local ring = move { turn { torus { radius = bow, thickness = r }, by = {90, 0, 0} }, by = {38*mm, 0, bow} }
local hook = intersection { ring, move { box { 8*cm, 4*cm, 8*cm }, by = {78*mm, 0, 3*cm} } }
local cane = body { name = "cane", material = "candy", model = "shatter", shape = union { stick, hook }, cells = 3.5*mm,
  at = {0, 0, high}, crack = { shatter = { release = release } } }

weaken { cane, where = inside { move { box { 2*mm, 2*cm, 2*cm }, by = {-12*mm, 0, 0} } }, by = 0.4 }   -- a flaw: hands hold sharply, and would break it where they end

-- a fifth of a degree each is what it bears; then they go apart
for side = -1, 1, 2 do
  drive { cane, where = side < 0 and below { x = -40*mm } or above { x = 15*mm }, about = {side * 25*mm, 0, high}, release = lets_go,
    path = { {0.2*s, {0, 0, 0}, {0, 0, 0}}, {0.8*s, {0, 0, 0}, {0, -side * 1, 0}}, {1.1*s, {side * 2*cm, 0, 0}, {0, -side * 25, 0}} } }
end

film { camera = { position = {8*cm, -42*cm, 24*cm}, target = {5*mm, 0, 8.5*cm}, fov = 26 }, fps = 30 }
sound { gain = -10 }
