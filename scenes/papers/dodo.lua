-- dodo.lua: two birds of rubber with stiff legs and beaks collide and tumble (S1 figure 5).
-- Printed: 113 nodes, 295 tets, 40 modes, legs and beak of stiffer material. Filled in: a bird of our own, 26 cm long, 80 kPa; legs and beak fifty times as
-- stiff.
local cell = param("cell", 2.8*cm, {min = 8*mm, max = 5*cm, help = "edge of the tets"})
local speed = param("speed", 2.2, {min = 0, max = 10, help = "of each, m/s"})
scene { duration = 1.6*s, fps = 60, seed = 1 }
ground { material = "concrete" }
material { name = "bird", density = 900, young = 80*kPa, poisson = 0.4, alpha1 = 1e-3 }
material { name = "bird horn", base = "bird", young = 4*MPa, alpha1 = 2e-5 }
local function bird(name, x, way, colour)
  local leg = function(y) return move { cylinder { radius = 2.2*cm, height = 12*cm }, by = {-1*cm, y, -10*cm} } end
  local foot = function(y) return move { ellipsoid { 4.2*cm, 2.6*cm, 2*cm }, by = {0.5*cm, y, -15*cm} } end
  local shape = union { ellipsoid { 11*cm, 7.5*cm, 8*cm }, move { ball(4.6*cm), by = {11*cm, 0, 11*cm} },
    move { turn { cylinder { radius = 3*cm, height = 9*cm }, by = {0, 40, 0} }, by = {8*cm, 0, 7*cm} },
    move { ellipsoid { 6*cm, 2.6*cm, 2.6*cm }, by = {16.5*cm, 0, 10*cm} }, move { ellipsoid { 4*cm, 4*cm, 5*cm }, by = {-10*cm, 0, 4*cm} },
    leg(3.6*cm), leg(-3.6*cm), foot(3.6*cm), foot(-3.6*cm), round = 1*cm }
  body { name = name, material = "bird", colour = colour, model = "modal", modes = 40, shape = shape, cells = cell, coarse = true,
    parts = { { where = below { z = -8*cm }, material = "bird horn" }, { where = above { x = 15*cm }, material = "bird horn" } },
    at = {x, way * 1.2*cm, 36*cm}, turn = {0, 0, way > 0 and 0 or 180}, velocity = {way * speed, 0, 1.1} }
end
bird("left", -45*cm, 1, {0.25, 0.33, 0.42})
bird("right", 45*cm, -1, {0.45, 0.32, 0.22})
film { camera = { position = {0.3*m, -2.4*m, 0.8*m}, target = {0, 0, 30*cm}, fov = 28 }, fps = 30,
  slow = { at = "first-impact", factor = 4, lasts = 3*s } }
