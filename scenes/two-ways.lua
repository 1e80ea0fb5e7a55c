-- two-ways.lua: the same pane, held at two sides and struck alike, breaks in S7's way (shatter) and in S2's (fem).
--   fracas sweep scenes/two-ways.lua --vary model=shatter:fem --until 2ms        docs/breaking.md has them side by side
--   fracas sweep scenes/two-ways.lua --vary style=stress:radial:ring:splinter --until 30ms
local model = param("model", "shatter", {choices = {"shatter", "fem"}, help = "shatter: at once, by energy (S7); fem: crack by crack (S2)"})
local style = param("style", "stress", {choices = {"stress", "radial", "ring", "splinter"}, help = "where cracks of shatter run"})
local speed = param("speed", 8*m/s, {min = 1, max = 40, help = "of the ball"})
local cells = param("cells", 20*mm, {min = 4*mm, max = 40*mm, help = "edge of its tets"})
local size, thick, r, high = 30*cm, 6*mm, 3*cm, 30*cm

scene { duration = 0.12*s, fps = 500, seed = 1 }
ground { material = "concrete" }
material { name = "pane glass", base = "glass", Gc = 80 }      -- of S7; library glass has that of slow cracks
local half = size / 2
local pane = body { name = "pane", material = "pane glass", model = model, cells = cells, crack = { shatter = { style = style } },
  shape = box { size, size, thick }, at = {0, 0, high} }
fix { pane, where = below { x = 1*cm - half } }
fix { pane, where = above { x = half - 1*cm } }
sphere { r, name = "ball", material = "steel", at = {0, 0, high + thick / 2 + r + 1*mm}, velocity = {0, 0, -speed} }

film { camera = { position = {0.5*m, -0.75*m, 0.5*m}, target = {0, 0, 0.24*m}, fov = 32 }, fps = 30 }
sound { gain = -20 }
