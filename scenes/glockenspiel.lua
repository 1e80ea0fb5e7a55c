-- glockenspiel.lua: steel bars held at 0.224 of their length play a tune; mallets fall when their hooks let them.
local tempo = param("tempo", 0.32*s, {min = 0.2*s, max = 2*s, help = "time of one beat"})
local notes = param("notes", 14, {min = 1, max = 14, help = "how many notes of the tune"})

-- Frere Jacques: which bar, how many beats
local tune = { {1,1}, {2,1}, {3,1}, {1,1}, {1,1}, {2,1}, {3,1}, {1,1}, {3,1}, {4,1}, {5,2}, {3,1}, {4,1}, {5,2} }
local pitch = { 1046.50, 1174.66, 1318.51, 1396.91, 1567.98 }   -- C6 D6 E6 F6 G6, Hz

local thick, wide, gap = 6*mm, 25*mm, 35*mm
local speed = 5172                       -- sqrt(E / rho) of steel, m/s
local fall, reach, r = 45*mm, 60*mm, 9*mm  -- of a mallet before it hits; length of its cord; its radius

local at, when = 0.3*s, {}
for k = 1, notes do
  local bar, beats = tune[k][1], tune[k][2]
  when[bar] = when[bar] or {}
  table.insert(when[bar], at)
  at = at + beats * tempo
end
scene { duration = at + 0.6*s, fps = 60, seed = 1, step = { rigid_steps = 8 } }

material { name = "bar", base = "steel", restitution = 0.5, friction_static = 0.2, friction_dynamic = 0.2 }
material { name = "mallet", base = "nylon", restitution = 0.5, friction_static = 0.2, friction_dynamic = 0.2 }

local colours = { {0.75, 0.10, 0.08}, {0.85, 0.42, 0.05}, {0.80, 0.70, 0.08}, {0.12, 0.50, 0.15}, {0.06, 0.28, 0.62} }
-- free bar: f = 1.0279 t / L^2 sqrt(E / rho) of a thin one, less 2.7 (t / L)^2 of it for shear and rotary inertia
local function length_of(hz)
  local thin = 1.0279 * thick * speed / hz * (1*m)
  return math.sqrt(thin - 2.7 * thick^2)
end

ground { material = "oak", height = -thick / 2 - 17*mm }

-- rails under the places where the bars are held
local reach_y = 2.5 * gap
for side = -1, 1, 2 do
  local a, b = length_of(pitch[1]), length_of(pitch[#pitch])
  local slope = (0.5 - 0.2242) * (b - a) / ((#pitch - 1) * gap)
  local rail = body { name = "rail" .. side + 2, material = "oak", model = "frame", cells = 12*mm,
    shape = box { 12*mm, 2 * reach_y + 20*mm, 14*mm },
    at = {side * (0.5 - 0.2242) * (a + b) / 2, 0, -thick / 2 - 9*mm}, turn = {0, 0, -side * math.deg(math.atan(slope))} }
  fix { rail }
end

for k, hz in ipairs(pitch) do
  local L = length_of(hz)
  local y = (k - 3) * gap
  local bar = body { name = "bar" .. k, material = "bar", model = "frame", cells = 6*mm,
    shape = box { L, wide, thick }, at = {0, y, 0}, colour = colours[k] }
  for side = -1, 1, 2 do pin { bar, at = {side * (0.5 - 0.2242) * L, y, 0} } end

  -- a hook drops, its mallet falls freely, strikes the middle, and is pulled up again
  local high = thick / 2 + r + fall
  local path = { {0*s, {0, y, high + r + reach}} }
  for _, t in ipairs(when[k] or {}) do
    local let = t - math.sqrt(2 * fall / 9.81)
    table.insert(path, { let, {0, y, high + r + reach} })
    table.insert(path, { let + 30*ms, {0, y, high + r + reach - fall - 5*mm} })
    table.insert(path, { t + 45*ms, {0, y, high + r + reach - fall - 5*mm} })
    table.insert(path, { t + 160*ms, {0, y, high + r + reach} })
  end
  local hook = sphere { 2*mm, name = "hook" .. k, material = "steel", at = {0, y, high + r + reach}, path = path }
  local mallet = sphere { r, name = "mallet" .. k, material = "mallet", at = {0, y, high} }
  cord { mallet, to = hook, from = {0, y, high + r}, till = {0, y, high + r + reach} }
end

film { spectrogram = true, camera = { position = {0.2*m, -0.36*m, 0.24*m}, target = {0, 0, 0.035*m}, fov = 34 } }
sound { gain = 30 }
