-- bowls.lua: a bowl that falls on the floor, four times with less and less toughness (S2 figure 11, table 1; S6 figure 6.4).
--   fracas sweep bowls.lua --vary tau=52.9N:39.6N:33.1N:13.2N
-- Printed: lambda, mu, phi, psi, density, and tau, which is a force (the table's N/m^2 is a slip) and belongs to tets of
-- this size. Filled in: a bowl of 15 cm radius with a wall of 1 cm, dropped from 1 m on concrete.
local tau  = param("tau", 33.1*N, {min = 1, max = 1000, help = "52.9, 39.6, 33.1 and 13.2 N in the table"})
local fall = param("fall", 1*m, {min = 1*cm, max = 10*m, help = "height of the fall"})
local cell = param("cell", 22*mm, {min = 5*mm, max = 5*cm, help = "edge of the tets"})
local gap  = 1*cm                       -- the film begins this far above the floor, at the speed that it has there

scene { duration = 0.35*s, fps = 120, seed = 2, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
material { name = "bowl", base = "s2-bowl-1", tau = tau }

body {
  name = "bowl", material = "bowl", cells = cell,
  shape = lathe { {0, 0}, {5*cm, 0}, {10*cm, 25*mm}, {135*mm, 65*mm}, {145*mm, 11*cm}, wall = 1*cm },
  at = {0, 0, gap + 5*mm}, turn = {6, 4, 0}, velocity = {0, 0, -math.sqrt(2 * 9.81 * fall)},
}
film { camera = { position = {0.5*m, -0.95*m, 0.55*m}, target = {0, 0, 5*cm}, fov = 22 },
  fps = 30, slow = { at = "first-crack", factor = 10, lasts = 2*s } }
