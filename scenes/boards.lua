-- boards.lua: a pudding slides down two springy boards, which give way, quiver and thump, and falls on the floor.
-- The pudding is corot (S5): soft, whatever the step. The boards are modal (S1), held at their posts; they ring by modes of the same bodies (S4).
local fall = param("fall", 8*cm, {min = 1*cm, max = 15*cm, help = "how far the pudding falls on the first board"})
local boards = param("boards", 2, {min = 1, max = 4, help = "how many boards there are"})
-- steps so short that the pudding comes onto a board and not into it
scene { duration = 2.6*s, fps = 480, seed = 1 }
ground { material = "oak" }
material { name = "board", base = "acrylic", young = 250*MPa, alpha1 = 2e-5, eta = 0.015, friction_static = 0.15, friction_dynamic = 0.12 }
material { name = "pudding", density = 1050, young = 25*kPa, poisson = 0.42, alpha1 = 6e-3, friction_static = 0.15, friction_dynamic = 0.12, restitution = 0 }
local colours = { {0.70, 0.16, 0.10}, {0.80, 0.50, 0.06}, {0.12, 0.42, 0.20}, {0.10, 0.25, 0.55} }
for k = 1, boards do
  -- posts at the left and at the right in turn; boards go down a little towards the middle
  local long, z, side = 48*cm - 3*cm * k, 66*cm - 16*cm * k, k % 2 == 1 and 1 or -1
  local board = body { name = "board" .. k, material = "board", model = "modal", modes = 24, colour = colours[k], cells = 2.4*cm,
    shape = box { long, 22*cm, 2.4*cm }, at = {-side * (34*cm - 0.5 * long), 0, z}, turn = {0, side * 11, 0} }
  fix { board, where = side > 0 and below { x = -0.5 * long + 3*cm } or above { x = 0.5 * long - 3*cm } }
  local post = body { name = "post" .. k, material = "oak", model = "frame", cells = 6*cm, shape = box { 4*cm, 25*cm, 10*cm },
    at = {-side * 36*cm, 0, z + 4*cm} }
  fix { post }
end
body { name = "pudding", material = "pudding", model = "corot", colour = {0.85, 0.62, 0.30}, cells = 2.6*cm, mesher = "stuffing",
  shape = lathe { {0, -4.5*cm}, {6.5*cm, -4.5*cm}, {4.6*cm, 4.5*cm}, {0, 4.5*cm} }, at = {-10*cm, 0, 58*cm + fall}, turn = {4, 13, 0} }
film { spectrogram = true, camera = { position = {0.25*m, -1.7*m, 0.8*m}, target = {0, 0, 33*cm}, fov = 32 }, fps = 30 }
