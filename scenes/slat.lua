-- slat.lua: a dry wooden slat lies on two trestles; a weight falls on its middle and snaps it.
local grain = param("grain", "along", {choices = {"along", "across"}, help = "how the grain runs: across the slat it is weak"})
local fall = param("fall", 1.2*m, {min = 5*cm, max = 5*m, help = "height of the weight's fall"})
local long, wide, thick, high, r = 50*cm, 4*cm, 8*mm, 12*cm, 4*cm

scene { duration = 1.5*s, fps = 60, seed = 1 }
ground { material = "concrete" }
for side = -1, 1, 2 do
  fix { body { name = "trestle" .. (side + 3) // 2, material = "concrete", model = "frame", cells = 4*cm,
    shape = box { 3*cm, 12*cm, high }, at = {side * (long / 2 - 3*cm), 0, high / 2} } }
end
body { name = "slat", material = "pine", grain = grain == "along" and {1, 0, 0} or {0, 1, 0}, cells = 6*mm,
  shape = box { long, wide, thick }, at = {0, 0, high + thick / 2 + 0.2*mm} }
local start = 5*cm                       -- the film begins here, at the speed that the weight has then
sphere { r, name = "weight", material = "iron", at = {0, 0, high + thick + r + start}, velocity = {0, 0, -math.sqrt(2 * 9.81 * (fall - start))} }

film { camera = { position = {0.5*m, -0.9*m, 0.4*m}, target = {0, 0, 9*cm}, fov = 32 }, fps = 30 }
sound { gain = -10 }
