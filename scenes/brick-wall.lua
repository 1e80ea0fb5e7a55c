-- brick-wall.lua: bricks and mortar: a ball against a wall, which breaks along its joints, in steps (what S2 section 5 wishes for).
--   fracas run brick-wall.lua --set bond=1     without joints it breaks anywhere
-- Bricks are four parts of the body, such that those that touch are of different ones; `bond` is the strength of a joint over that of a brick.
local bond  = param("bond", 0.03, {min = 0.001, max = 1, help = "strength of a joint over that of a brick"})
local speed = param("speed", 9*m/s, {min = 0, max = 40, help = "of the ball"})
local cell  = param("cell", 8*cm, {min = 4*cm, max = 20*cm, help = "edge of the tets: a brick is four by two"})
local rows, columns = 7, 5
local long, high, thick, r = 32*cm, 16*cm, 16*cm, 22*cm

scene { duration = 0.5*s, fps = 60, seed = 3, step = { damping_limit = 1e9 } }
ground { material = "concrete" }
-- the adobe of S2 table 1: with the modulus of fired bricks steps are ten times shorter
material { name = "adobe brick", base = "s2-wall-1", density = 1900, tau = 0, strength = 4*MPa, friction_static = 0.6, friction_dynamic = 0.5 }
local size = {columns * long, rows * high}
local bricks = { {}, {}, {}, {} }
for row = 1, rows do
  local shift = row % 2 * long / 2
  for k = 0, columns do
    local x, z = (k - columns / 2) * long + long / 2 - shift, (row - 0.5) * high - size[2] / 2
    if x - long / 2 < size[1] / 2 and x + long / 2 > -size[1] / 2 then
      local same = bricks[row % 2 * 2 + k % 2 + 1]
      same[#same + 1] = move { box { long, thick, high }, by = {x, 0, z} }
    end
  end
end
local parts = {}
for k, same in ipairs(bricks) do parts[k] = { where = inside { union(same) }, material = "adobe brick", bond = bond } end
local wall = body { name = "wall", material = "adobe brick", mesher = "structured", cells = cell, parts = parts,
  shape = box { size[1], thick, size[2] }, at = {0, 0, size[2] / 2}, crack = { upright = false, min_piece = 24 } }
fix { wall, where = below { z = 1*cm - size[2] / 2 } }
sphere { r, name = "ball", mass = 120*kg, material = "iron", at = {12*cm, -thick / 2 - r - 1*cm, 68*cm}, velocity = {0, speed, 0} }

film { camera = { position = {-1.4*m, 3.8*m, 1.6*m}, target = {0, 10*cm, 55*cm}, fov = 32 },
  fps = 30, slow = { at = "first-crack", factor = 8, lasts = 2*s } }
