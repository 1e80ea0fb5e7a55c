-- slat.lua: a pine slat lies on two trestles; a fast steel ball snaps it before the trestles feel it.
-- A slow weight would bend it for milliseconds until it gives: that is model = "fem", for shattering looks at one blow at a time.
local speed = param("speed", 30*m/s, {min = 1, max = 100, help = "of the ball"})
local grain = param("grain", "along", {choices = {"along", "across"}, help = "how the grain runs"})
local long, wide, thick, high, r = 50*cm, 4*cm, 8*mm, 12*cm, 25*mm

scene { duration = 1.5*s, fps = 60, seed = 1 }
ground { material = "concrete" }
for side = -1, 1, 2 do
  fix { body { name = "trestle" .. (side + 3) // 2, material = "concrete", model = "frame", cells = 4*cm,
    shape = box { 3*cm, 12*cm, high }, at = {side * (long / 2 - 3*cm), 0, high / 2} } }
end
body { name = "slat", material = "pine", grain = grain == "along" and {1, 0, 0} or {0, 1, 0}, cells = 6*mm,
  shape = box { long, wide, thick }, at = {0, 0, high + thick / 2 + 0.2*mm} }
sphere { r, name = "ball", material = "steel", at = {0, 0, high + thick + r + 60*cm}, velocity = {0, 0, -speed} }

film { camera = { position = {0.5*m, -0.9*m, 0.4*m}, target = {0, 0, 9*cm}, fov = 32 }, fps = 30 }
sound { gain = -20 }
