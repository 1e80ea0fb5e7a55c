-- comparison-bowl.lua: a bowl falls on its edge, as one did before a fast camera (S2 figure 13, table 1; S6 figure 6.16).
-- Printed: lambda, mu, psi, density, and tau, which is a force (the table's N/m^2 is a slip) and belongs to tets of this size; a fall of about
-- a metre on a hard floor; pictures 13 ms apart. Filled in: a bowl of 15 cm radius with a wall of 1 cm, which comes down tilted by 75 degrees.
local fall = param("fall", 1*m, {min = 1*cm, max = 10*m, help = "height of the fall"})
local tilt = param("tilt", 75, {min = 0, max = 180, help = "degrees; 0: it lands on its foot"})
local cell = param("cell", 22*mm, {min = 5*mm, max = 5*cm, help = "edge of the tets"})

scene { duration = 0.3*s, fps = 1000 / 13, seed = 2, step = { damping_limit = 1e9 } }  -- damping as it is printed
ground { material = "concrete" }
local line = { {0, 0}, {5*cm, 0}, {10*cm, 25*mm}, {135*mm, 65*mm}, {145*mm, 11*cm}, wall = 1*cm }
local a, low = math.rad(tilt), 0        -- how deep the lowest point of the tilted line is
for _, p in ipairs(line) do low = math.min(low, p[2] * math.cos(a) - p[1] * math.sin(a)) end
body {
  name = "bowl", material = "s2-comparison-bowl", cells = cell,
  shape = lathe(line),
  at = {0, 0, 1*cm - low}, turn = {tilt, 0, 0}, velocity = {0, 0, -math.sqrt(2 * 9.81 * fall)},
}
film { camera = { position = {0.75*m, -0.95*m, 0.45*m}, target = {0, 0, 8*cm}, fov = 24 },
  fps = 30, slow = { at = "first-impact", factor = 8, lasts = 2*s } }
