-- figurine-chute.lua: a hollow china bunny falls past shelves of plastic, metal and wood (S4 figure 6).
-- fracas run scenes/figurine-chute.lua --set material=s4-bunny-metal
local made_of = param("material", "s4-bunny-ceramic", {choices = {"s4-bunny-ceramic", "s4-bunny-metal", "oak"}, help = "what the bunny is made of"})
local wall = param("wall", 12*mm, {min = 5*mm, max = 30*mm, help = "thickness of its wall"})

scene { duration = 2*s, fps = 60, seed = 6 }
local bounce = { restitution = 0.4, friction_static = 0.35, friction_dynamic = 0.3 }
local function finish(name, base, colour, alpha2)
  return material { alpha2 = alpha2, name = name, base = base, colour = colour, opacity = 1, roughness = 0.4, restitution = bounce.restitution,
    friction_static = bounce.friction_static, friction_dynamic = bounce.friction_dynamic }
end
finish("china", made_of, {0.85, 0.80, 0.72})
finish("shelf-plastic", "s4-shelf-plastic", {0.75, 0.12, 0.10})
finish("shelf-metal", "s4-shelf-aluminium", {0.42, 0.46, 0.50}, 6)       -- its clamp takes some, too
finish("shelf-wood", "s4-shelf-wood", {0.55, 0.33, 0.15})
finish("floor", "concrete")
material { name = "board", base = "oak", eta = 0.1 }           -- joints take most of what a board rings
ground { material = "floor" }

-- each shelf is clamped by its outer edge and slopes to the middle, and a little to the back
local wide, high = 50*cm, 1.16*m
local long, deep, thick = 28*cm, 24*cm, 12*mm
for k, name in ipairs { "plastic", "metal", "wood" } do
  local side = k % 2 == 1 and -1 or 1
  local shelf = body { name = name, material = "shelf-" .. name, model = "frame", cells = 15*mm,
    shape = box { long, deep, thick },
    at = {side * (wide - 25*cm) / 2, 0, 0.86*m - (k - 1) * 27*cm}, turn = {-5, -side * 24, 0} }
  fix { shelf, where = side < 0 and below { x = -long / 2 + 10*mm } or above { x = long / 2 - 10*mm } }
end

-- the chute has two sides and a back; its front is left open
local function board(name, size, at)
  fix { body { name = name, material = "board", model = "frame", cells = 6*cm, shape = box(size), at = at } }
end
board("left",  {15*mm, 32*cm, high}, {-wide / 2 - 8*mm, 0, high / 2})
board("right", {15*mm, 32*cm, high}, {wide / 2 + 8*mm, 0, high / 2})
board("back",  {wide, 15*mm, high}, {0, 15*cm, high / 2})

-- assets/bunny.obj stands on z = 0, 16 cm tall; balls along its thin ears make them fat enough
local parts = { surface { "../assets/bunny.obj", up = "z" }, round = 6*mm }
local function fatten(from, to)
  for k = 0, 5 do
    local at = {}
    for i = 1, 3 do at[i] = (from[i] + (to[i] - from[i]) * k / 5) * mm end
    parts[#parts + 1] = move { ball(8*mm), by = at }
  end
end
fatten({-38, -8, 123}, {-4, 19, 153})
fatten({-48, 2, 120}, {-56, 52, 149})
body { name = "bunny", material = "china", model = "frame", cells = 9*mm,
  shape = shell { union(parts), thickness = wall },
  at = {-11*cm, 0, 0.98*m}, turn = {0, 0, 40}, spin = {0, 60, 0} }

film { spectrogram = true, size = {1080, 1080}, camera = { position = {0.35*m, -2.7*m, 0.95*m}, target = {0, 0, 0.43*m}, fov = 32 } }
sound { gain = 0 }
