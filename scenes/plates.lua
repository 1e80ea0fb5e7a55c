-- plates.lua: a stack of plates slips off a table; the pieces ring as they land.
local count = param("count", 3, {min = 1, max = 8})
local fall = param("fall", 75*cm, {min = 5*cm, max = 5*m, help = "height of the fall"})

scene { duration = 2*s, fps = 60, seed = 6 }
ground { material = "granite", colour = {0.10, 0.09, 0.08} }
material { name = "china", base = "porcelain", colour = {0.60, 0.64, 0.70}, roughness = 0.15 }
for k = 1, count do
  body { name = "plate" .. k, material = "china", cells = 7*mm,
    shape = lathe { {0, 0}, {60*mm, 0}, {72*mm, 4*mm}, {86*mm, 13*mm}, {105*mm, 17*mm}, wall = 4.5*mm },
    at = {(k - 1) * 6*mm, 0, fall + 5*cm + (k - 1) * 11*mm}, turn = {20, 4, 0} }
end

film { fps = 30 }
sound { gain = -18 }
