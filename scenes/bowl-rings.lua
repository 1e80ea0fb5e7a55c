-- bowl-rings.lua: a bowl falls, rings on its rim and comes to rest; the motion is the same in every material.
-- fracas run scenes/bowl-rings.lua --set material=glass
local made_of = param("material", "aluminium", {choices = {"oak", "aluminium", "glass", "bronze"}, help = "what it is made of"})
local fall = param("fall", 40*cm, {min = 1*cm, max = 2*m, help = "height of the fall"})

scene { duration = 2.4*s, fps = 60, seed = 2 }
ground { material = "floor" }
-- bounce and friction of its own, so that mass and material change the sound only
material { name = "floor", base = "concrete", restitution = 0.45, friction_static = 0.4, friction_dynamic = 0.35 }
material { name = "bowl", base = made_of, restitution = 0.45, friction_static = 0.4, friction_dynamic = 0.35 }

body {
  name = "bowl", material = "bowl", model = "frame", cells = 5*mm,
  shape = lathe { {0, 0}, {35*mm, 0}, {62*mm, 14*mm}, {78*mm, 40*mm}, {84*mm, 62*mm}, wall = 4*mm },
  at = {0, 0, fall}, turn = {28, 0, 0}, spin = {0, 8, 12},
}

film { spectrogram = true }
sound { gain = -9, listener = {0.4*m, -0.68*m, 0.42*m} }
