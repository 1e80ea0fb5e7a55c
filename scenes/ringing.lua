-- ringing.lua: chimes play, then one bowl falls in oak, in aluminium and in glass, with the same motion.
-- fracas run scenes/ringing.lua --set material=bronze      the last bowl of something else
local made_of = param("material", "glass", {choices = {"glass", "bronze", "steel", "ceramic"}, help = "what the last bowl is made of"})
local phrase = param("phrase", 3.6*s, {min = 0.5*s, max = 20*s, help = "how long the chimes are alone"})
local apart = 1.6*s                                        -- from bowl to bowl

scene { duration = phrase + 3 * apart + 0.4*s, fps = 30, seed = 4 }
local function dull(name, base, colour)                    -- bounce and friction of its own: the same motion for all
  material { name = name, base = base, colour = colour, restitution = 0.45, friction_static = 0.4, friction_dynamic = 0.35 }
end
dull("floor", "concrete")
dull("bowl1", "oak")
dull("bowl2", "aluminium")
dull("bowl3", made_of)
ground { material = "floor" }

-- six tubes of S4's table on strings about a clapper, whose hook sways (chimes.lua says more)
local x0, top, strike = -32*cm, 59*cm, 31*cm
local tubes = { 0.5061*m, 0.4770*m, 0.4366*m, 0.4115*m, 0.3878*m, 0.3548*m }
local radius, ring = 12.5*mm, 7*cm
material { name = "tube", base = "s4-chime", roughness = 0.25, metallic = 1, restitution = 0.6, friction_static = 0.2, friction_dynamic = 0.2 }
material { name = "clapper", base = "oak", restitution = 0.6, friction_static = 0.2, friction_dynamic = 0.2 }
local disc = body { name = "disc", material = "oak", model = "frame", cells = 2*cm,
  shape = cylinder { radius = 10*cm, height = 14*mm }, at = {x0, 0, top + 8*mm} }
fix { disc }
for k, L in ipairs(tubes) do
  local angle = 2 * math.pi * (k - 1) / #tubes
  local x, y = x0 + ring * math.cos(angle), ring * math.sin(angle)
  local z = strike + 0.1 * (k % 2) * cm
  local tube = body { name = "tube" .. k, material = "tube", model = "frame", cells = 6.5*mm,
    shape = tube { radius = radius, wall = 1*mm, height = L }, at = {x, y, z}, colour = {0.80, 0.66 - 0.03 * k, 0.42 - 0.04 * k} }
  local hole = z + (0.5 - 0.2242) * L                      -- held at a node of its first mode
  for side = -1, 1, 2 do
    local dx, dy = -side * radius * math.sin(angle), side * radius * math.cos(angle)
    cord { tube, from = {x + dx, y + dy, hole}, till = {x + 0.3 * dx, y + 0.3 * dy, top} }
  end
end
local path, steps, sway, beat = {}, 24, 16*mm, 1.1*s
for k = 0, math.floor((phrase + 0.4*s) / beat * steps) do
  local a, grow = 2 * math.pi * k / steps, math.min(1, k * beat / steps / phrase * 3, math.max(0, (phrase + 0.4*s - k * beat / steps) / beat))
  path[k + 1] = { k * beat / steps, { x0 + grow * sway * math.cos(a), grow * 0.8 * sway * math.sin(a), top } }
end
local hook = sphere { 4*mm, name = "hook", material = "steel", at = path[1][2], path = path }
local clapper = sphere { 22*mm, name = "clapper", material = "clapper", mass = 150*g, at = {x0, 0, strike}, velocity = {0.30, 0.12, 0} }
cord { clapper, to = hook, from = {x0, 0, strike + 22*mm}, till = {x0, 0, top} }

-- each bowl is held in the air until its turn comes
for k = 1, 3 do
  local bowl = body { name = "bowl" .. k, material = "bowl" .. k, model = "frame", cells = 7*mm,
    shape = lathe { {0, 0}, {35*mm, 0}, {62*mm, 14*mm}, {78*mm, 40*mm}, {84*mm, 62*mm}, wall = 4*mm },
    at = {(k - 1) * 24*cm - 5*cm, -6*cm, 30*cm}, turn = {28, 0, 0}, spin = {0, 8, 12} }
  fix { bowl, release = phrase + (k - 1) * apart }
end

film { spectrogram = true, size = {960, 540}, camera = { position = {0.1*m, -1.6*m, 0.5*m}, target = {0.06*m, 0, 0.195*m}, fov = 30 } }
sound { listener = {-0.2*m, -0.4*m, 0.35*m}, gain = -9 }
