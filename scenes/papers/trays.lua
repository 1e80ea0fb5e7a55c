-- trays.lua: a ceramic tray falls on the floor, with less and less damping (S6 figure 6.5).
--   fracas sweep trays.lua --vary tray=1:2:3:4:5
-- Printed: that phi and psi fall from (a) to (e) and that (e) has less toughness, too; the ceramic of table 6.5. Filled
-- in: the factors below (with 4 to 0.5 the first four hardly differ), the tray's form, a fall of 1 m on its rim; tets of 5 cm: tau is a force,
-- so that smaller ones are stronger.
local tray = param("tray", 3, {choices = {1, 2, 3, 4, 5}, help = "(a) to (e) of the figure"})
local fall = param("fall", 1*m, {min = 1*cm, max = 10*m, help = "height of the fall"})
local cell = param("cell", 5*cm, {min = 1*cm, max = 10*cm, help = "edge of the tets"})
local damping, toughness = ({16, 4, 1, 0.25, 0.25})[tray], ({1, 1, 1, 1, 0.5})[tray]

scene { duration = 0.3*s, fps = 120, seed = 2, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
material { name = "tray-ceramic", base = "s6-ceramic", lambda = 0.320*GPa, mu = 0.484*GPa,
  phi = 4.03*kPa*s * damping, psi = 6.05*kPa*s * damping, tau = 2.09*kN * toughness }
body {
  name = "tray", material = "tray-ceramic", cells = cell,
  shape = lathe { {0, 0}, {30*cm, 0}, {34*cm, 8*cm}, wall = 25*mm },
  at = {0, 0, 12*cm}, turn = {18, 0, 0}, velocity = {0, 0, -math.sqrt(2 * 9.81 * fall)},
}
film { camera = { position = {0.9*m, -1.9*m, 1.1*m}, target = {0, 0, 8*cm}, fov = 24 },
  fps = 30, slow = { at = "first-crack", factor = 10, lasts = 2*s } }
