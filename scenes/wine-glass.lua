-- wine-glass.lua: a wine glass falls and lands on its bowl; its stem may survive (S7 section 6, figure 10).
local fall = param("fall", 75*cm, {min = 5*cm, max = 5*m, help = "height of the fall"})
local tilt = param("tilt", 110, {min = 0, max = 180, help = "how it is turned: 0 lands on its foot, 180 on its rim"})
local breaks = param("breaks", true)

scene { duration = 2*s, fps = 60, seed = 3 }
ground { material = "granite", colour = {0.10, 0.09, 0.08} }
-- one sheet from the rim of the foot up the stem, which is a tube, to the rim of the bowl
local profile = { {34*mm, 1.5*mm}, {20*mm, 3*mm}, {9*mm, 7*mm}, {3.2*mm, 15*mm}, {3*mm, 45*mm}, {3.2*mm, 73*mm}, {9*mm, 82*mm}, {22*mm, 88*mm},
  {34*mm, 103*mm}, {39*mm, 123*mm}, {37.5*mm, 145*mm}, {33*mm, 170*mm}, wall = 2.5*mm }
body { name = "glass", material = "glass", shape = lathe(profile), cells = 5*mm, crack = { off = not breaks },
  at = {0, 0, fall + 9*cm}, turn = {tilt, 0, 0} }

film { fps = 30 }
sound { gain = -10 }
