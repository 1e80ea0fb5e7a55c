-- panes.lua: one steel ball and three panes at the stiffness of handbooks: glass shatters, vinyl tears, lead keeps a crater.
local speed = param("speed", 18*m/s, {min = 1, max = 40, help = "of the ball"})
local cell  = param("cell", 20*mm, {min = 5*mm, max = 10*cm, help = "edge of the tets"})
local stiffness = param("stiffness", 1, {min = 0.01, max = 1, help = "share of the handbooks' moduli; the thesis takes 1/50"})
local lasts = param("lasts", 2.4*s, {min = 1*ms, max = 10*s, help = "how long it goes on"})
local r, size, gap, low = 4.5*cm, 30*cm, 18*cm, 8*cm

scene { duration = lasts, fps = 120, seed = 5 }
ground { material = "concrete" }

-- the energy that a crack takes is that of S7's glass: fast cracks take more than slow ones
material { name = "pane-glass", base = "glass", young = stiffness * 70*GPa, poisson = 0.22, Gc = 80, crack_alpha = 0.9 }
-- alpha2: what vinyl loses at 20 Hz (0.15), asked of its mass; of the stiffness' share steps leave a hundredth, and it would swing for minutes
material { name = "pane-vinyl", base = "vinyl", young = stiffness * 25*MPa, poisson = 0.42, alpha2 = 19, Gc = 900, yield_strain = 0.03, plastic_limit = 0.5,
  colour = {0.72, 0.10, 0.06} }
-- alpha1, alpha2: what lead loses (0.03) at 150 Hz, its lowest tone, and at 12 kHz; less between
material { name = "pane-lead", base = "lead", young = stiffness * 16*GPa, poisson = 0.44, alpha1 = 4e-7, alpha2 = 28, colour = {0.34, 0.35, 0.38} }

-- The vinyl is slit six ways, along the lines of its mesh, as the lid of a paper cup is. Whole, it flows most at the edge of the ball, as a
-- material does that flows without getting stronger, and tears round it: a cap comes off, or not, by chance. From slits it tears outwards, into petals:
-- a tip wants 1.0 MPa (sqrt(E Gc) over a cell), flow holds 0.65. With half the Gc the tears reach the frame, with twice they stay where they
-- are and the hole only gets wide. 4 mm of vinyl that yields at 3 % flow where they bend round the ball, so that the petals stay out.
local slits = {}
for k = 1, 6 do
  local x, z = math.cos(math.rad(60 * k)), math.sin(math.rad(60 * k))
  slits[k] = { at = {13*mm * x, 0, 13*mm * z}, normal = {-z, 0, x}, radius = 14*mm }
end

local half = size / 2
local square = { {-half, -half}, {half, -half}, {half, half}, {-half, half} }
for k, kind in ipairs {
    { name = "glass", thick = 6*mm, cell = cell,
      crack = { upright = false, min_piece = 5, settle = 2*ms, pieces = { rigid_piece = 60 }, criterion = { scan_interval = 0.4*us },
        remeshing = { min_height = 0.4, snap_distance = 0.05, together = 0.4 } } },
    { name = "vinyl", thick = 4*mm, cell = 0.65 * cell, cuts = slits,
      crack = { min_piece = 2, settle = 50*ms, pieces = { rigid_piece = 4 }, criterion = { scan_interval = 12*us },
        remeshing = { min_height = 0.5, snap_distance = 0.2 } } },
    { name = "lead", thick = 6*mm, cell = cell,
      crack = { min_piece = 2, settle = 50*ms, pieces = { rigid_piece = 4 }, criterion = { scan_interval = 6*us },
        remeshing = { min_height = 0.5, snap_distance = 0.2 } } } } do
  square.height = kind.thick
  local pane = body {
    name = kind.name, material = "pane-" .. kind.name, model = "fem", cells = kind.cell, cuts = kind.cuts, at = {0, (k - 1) * gap, low + half},
    shape = turn { extrude(square), by = {90, 0, 0} }, crack = kind.crack,
  }
  local edge = half - 1*cm
  for _, where in ipairs { below { x = -edge }, above { x = edge }, below { z = -edge }, above { z = edge } } do
    fix { pane, where = where }
  end
end

sphere { r, name = "ball", material = "steel", at = {1*cm, -r - 6*mm, low + half + 1*cm}, velocity = {0, speed, 0} }

film {
  camera = { position = {1.0*m, -0.62*m, 0.5*m}, target = {0, 17*cm, 21*cm}, fov = 25 },
  fps = 30, burst = { rate = 6000, length = 34*ms, before = 0.5*ms, slow = 200 },
}
sound { microphone = true, gain = -20 }   -- the panes and their shards are heard, too
