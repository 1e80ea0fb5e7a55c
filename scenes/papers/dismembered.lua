-- dismembered.lua: a cartoon character is pulled apart by the arms and legs (S3 figure 7).
-- Printed: nothing but that a device pulls it apart and that it tears as what yields does. Filled in: a figure of our own, 1 m tall; the lead of S6
-- table 6.4 with a strength instead of tau, so that any mesh breaks alike; hands, feet and head are drawn out at 0.8 m/s. Tets by stuffing.
local pull  = param("pull", 0.8*m/s, {min = 0, max = 20, help = "speed of hands and feet"})
local cell  = param("cell", 60*mm, {min = 1*cm, max = 10*cm, help = "edge of the tets"})
local limit = param("limit", 0.3, {min = 0, max = 0.55, help = "largest plastic strain"})

scene { duration = 0.4*s, fps = 120, seed = 5, gravity = {0, 0, 0}, step = { damping_limit = 1e9 } }  -- damping as it is printed
material { name = "figure", base = "s6-lead", colour = {0.20, 0.42, 0.62}, tau = 0, strength = 6*MPa, yield_strain = 0.0005, plastic_limit = limit }
local function limb(a, b, r)           -- with a hand or a foot at its end
  local parts = { move { ball(1.5 * r), by = {b[1]*cm, b[2]*cm, b[3]*cm} } }
  for k = 0, 12 do
    local at = {}
    for i = 1, 3 do at[i] = (a[i] + (b[i] - a[i]) * k / 12) * cm end
    parts[#parts + 1] = move { ball(r), by = at }
  end
  return union(parts)
end
local shape = union { ellipsoid { 15*cm, 11*cm, 20*cm }, move { ball(15*cm), by = {0, 0, 34*cm} },
  move { ball(5*cm), by = {13*cm, 0, 46*cm} }, move { ball(5*cm), by = {-13*cm, 0, 46*cm} },
  limb({10, 0, 10}, {44, 0, 14}, 5*cm), limb({-10, 0, 10}, {-44, 0, 14}, 5*cm),
  limb({8, 0, -14}, {20, 0, -48}, 6*cm), limb({-8, 0, -14}, {-20, 0, -48}, 6*cm), round = 2*cm }
local figure = body { name = "figure", material = "figure", cells = cell, coarse = true, mesher = "stuffing", shape = shape, at = {0, 0, 60*cm} }
for _, way in ipairs { {44, 14, 1, 0}, {-44, 14, -1, 0}, {20, -48, 0.35, -1}, {-20, -48, -0.35, -1}, {0, 42, 0, 1} } do
  local far = math.sqrt(way[3]^2 + way[4]^2)
  drive { figure, where = near { at = {way[1]*cm, 0, way[2]*cm}, radius = 7.5*cm }, velocity = {pull * way[3] / far, 0, pull * way[4] / far} }
end
film { camera = { position = {0.5*m, -3.0*m, 1.0*m}, target = {0, 0, 63*cm}, fov = 34 }, fps = 30,
  slow = { at = "time", time = 0, factor = 8, lasts = 3.2*s } }
