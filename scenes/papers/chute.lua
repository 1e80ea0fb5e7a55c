-- chute.lua: hollow ceramic bunnies fall through a chute with shelves of plastic, aluminium and wood; all of them sound (S4 figure 4, table 1).
-- Printed: moduli, damping and density of all, and their lowest tones. Filled in: forms, and sizes for which the tones of the ceramic bunny
-- (855.9 Hz) and of the plastic shelf (488.9 Hz) are met; the others follow. Bunnies have walls of 7.5 % of their height.
local made_of = param("material", "s4-bunny-ceramic", {choices = {"s4-bunny-ceramic", "s4-bunny-metal"}, help = "rows of the table"})
local count = param("count", 3, {min = 1, max = 8, help = "how many bunnies"})
local tall  = param("tall", 15.79*cm, {min = 2*cm, max = 2*m, help = "height of a bunny"})
local deep  = param("shelf", 19.59*cm, {min = 2*cm, max = 2*m, help = "depth of a shelf"})

scene { duration = 2.5*s, fps = 60, seed = 6 }
local function finish(name, base, colour)
  return material { name = name, base = base, colour = colour, opacity = 1, roughness = 0.4, restitution = 0.4, friction_static = 0.35, friction_dynamic = 0.3 }
end
finish("china", made_of, {0.85, 0.80, 0.72})
finish("shelf-plastic", "s4-shelf-plastic", {0.75, 0.12, 0.10})
finish("shelf-aluminium", "s4-shelf-aluminium", {0.42, 0.46, 0.50})
finish("shelf-wood", "s4-shelf-wood", {0.55, 0.33, 0.15})
finish("floor", "concrete")
material { name = "board", base = "oak", eta = 0.1 }
ground { material = "floor" }

-- shelves slope to the middle, and a little to the back; held as a whole, they ring as if free
local long, wide, high = deep * 7 / 6, deep * 25 / 12, deep * 5
for k, name in ipairs { "plastic", "aluminium", "wood" } do
  local side = k % 2 == 1 and -1 or 1
  fix { body { name = name, material = "shelf-" .. name, model = "frame", cells = deep / 16, shape = box { long, deep, deep / 20 },
    at = {side * (wide - 1.04 * deep) / 2, 0, deep * (3.6 - (k - 1) * 1.12)}, turn = {-5, -side * 24, 0} } }
end
local function board(name, size, at)
  fix { body { name = name, material = "board", model = "frame", cells = deep / 4, shape = box(size), at = at } }
end
board("left",  {15*mm, 1.33 * deep, high}, {-wide / 2 - 8*mm, 0, high / 2})
board("right", {15*mm, 1.33 * deep, high}, {wide / 2 + 8*mm, 0, high / 2})
board("back",  {wide, 15*mm, high}, {0, 0.63 * deep, high / 2})

-- assets/bunny.obj stands on z = 0, 16 cm tall; balls along its thin ears make them fat enough
local parts = { surface { "../../assets/bunny.obj", up = "z" }, round = 6*mm }
local function fatten(from, to)
  for k = 0, 5 do
    local at = {}
    for i = 1, 3 do at[i] = (from[i] + (to[i] - from[i]) * k / 5) * mm end
    parts[#parts + 1] = move { ball(8*mm), by = at }
  end
end
fatten({-38, -8, 123}, {-4, 19, 153})
fatten({-48, 2, 120}, {-56, 52, 149})
local shape = scale { shell { union(parts), thickness = 12*mm }, by = tall / (16*cm) }
for k = 1, count do
  body { name = "bunny" .. k, material = "china", model = "frame", cells = tall * 9 / 160, shape = shape,
    at = {(k % 2 * 2 - 1) * -0.4 * deep, 0, deep * 4.1 + (k - 1) * 1.6 * tall}, turn = {0, 0, 40 + 70 * k}, spin = {20 * k, 60, 0} }
end
film { spectrogram = true, size = {1080, 1080}, camera = { position = {1.4 * deep, -12 * deep, 4.0 * deep}, target = {0, 0, 2.1 * deep}, fov = 30 } }
sound { gain = 0 }
