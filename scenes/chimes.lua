-- chimes.lua: six tubes of S4's table on strings, struck by a clapper that a swaying hook keeps going.
local sway = param("sway", 14*mm, {min = 0*mm, max = 40*mm, help = "how far the hook goes about"})
local beat = param("beat", 1.12*s, {min = 0.5*s, max = 3*s, help = "time of one round of the hook"})
local length = param("length", 8*s, {min = 0.1*s, max = 60*s, help = "how long it plays"})

scene { duration = length, fps = 60, seed = 4 }

-- adjusted lengths of the table: D5 E5 G5 A5 B5 D6 (E42)
local tubes = { 0.5061*m, 0.4770*m, 0.4366*m, 0.4115*m, 0.3878*m, 0.3548*m }
local radius, wall, ring = 12.5*mm, 1*mm, 7*cm
local top, strike = 6*cm, -25*cm     -- where the tubes' strings are tied; where the clapper swings

material { name = "tube", base = "s4-chime", roughness = 0.25, metallic = 1, restitution = 0.6, friction_static = 0.2, friction_dynamic = 0.2 }
material { name = "clapper", base = "oak", restitution = 0.6, friction_static = 0.2, friction_dynamic = 0.2 }

-- a wooden disc to hang from
local disc = body { name = "disc", material = "oak", model = "frame", cells = 8*mm,
  shape = cylinder { radius = 10*cm, height = 14*mm, round = 3*mm }, at = {0, 0, top + 8*mm} }
fix { disc }

for k, L in ipairs(tubes) do
  local angle = 2 * math.pi * (k - 1) / #tubes
  local x, y = ring * math.cos(angle), ring * math.sin(angle)
  -- held at a node of its first mode, 0.2242 of its length from the end, at the height of the ring
  local hung = 0.2242 * L
  local z = strike + 0.1 * (k % 2) * cm               -- all are struck near their middle
  local tube = body {
    name = "tube" .. k, material = "tube", model = "frame", cells = 6.5*mm,
    shape = tube { radius = radius, wall = wall, height = L }, at = {x, y, z},
    colour = {0.80, 0.66 - 0.03 * k, 0.42 - 0.04 * k},
  }
  local hole = z + L / 2 - hung
  for side = -1, 1, 2 do
    local dx, dy = -side * radius * math.sin(angle), side * radius * math.cos(angle)
    cord { tube, from = {x + dx, y + dy, hole}, till = {x + 0.3 * dx, y + 0.3 * dy, top} }
  end
end

-- the hook goes round in small circles at nearly the clapper's own time; its ball hangs between the tubes
local path, steps = {}, 24
for k = 0, math.floor(length / beat * steps) + 1 do
  local grow = math.min(1, k / (2 * steps))
  local a = 2 * math.pi * k / steps
  path[k + 1] = { k * beat / steps, { grow * sway * math.cos(a), grow * 0.8 * sway * math.sin(a), top } }
end
local hook = sphere { 4*mm, name = "hook", material = "steel", at = {0, 0, top}, path = path }
local clapper = sphere { 22*mm, name = "clapper", material = "clapper", at = {0, 0, strike}, velocity = {0.2, 0.1, 0} }
cord { clapper, to = hook, from = {0, 0, strike + 22*mm}, till = {0, 0, top} }

film { spectrogram = true, camera = { position = {0.27*m, -0.76*m, -0.12*m}, target = {0, 0, -0.27*m}, fov = 50 } }
sound { listener = {0.3*m, -0.95*m, -0.2*m}, gain = 26 }   -- quiet things, brought near
