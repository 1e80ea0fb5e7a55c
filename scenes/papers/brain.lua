-- brain.lua: something like a brain is pulled and let go (S1 figure 1).
-- Printed: 18,847 vertices drawn, 304 nodes, 997 tets, 40 modes; pulled by forces. Filled in: two halves with folds, 16 cm long, 15 kPa, pulled by springs.
local pull = param("pull", 18, {min = 0, max = 100, help = "the most that each spring pulls, N"})
scene { duration = 2*s, fps = 60, seed = 1, gravity = {0, 0, 0} }
material { name = "brain", density = 1040, young = 15*kPa, poisson = 0.4, alpha1 = 5e-3 }
local folds = {}
for side = -1, 1, 2 do
  folds[#folds + 1] = move { ellipsoid { 8*cm, 3.4*cm, 5.6*cm }, by = {0, side * 2.8*cm, 0} }
  for k = 0, 8 do
    local a = math.rad(-10 + 25 * k)
    for j = -1, 1 do
      local b = math.rad(32 + 34 * j)
      folds[#folds + 1] = move { ellipsoid { 1.2*cm, 0.9*cm, 1.2*cm },
        by = {7.7*cm * math.cos(a) * math.cos(b * 0.4), side * (2.8*cm + 3.1*cm * math.sin(b)), 5.3*cm * math.sin(a) * math.cos(b * 0.8)} }
    end
  end
end
folds.round = 5*mm
local brain = body { name = "brain", material = "brain", colour = {0.78, 0.5, 0.48}, model = "modal", modes = 40,
  shape = union(folds), cells = 2.4*cm, coarse = true, at = {0, 0, 50*cm} }
nail { brain, at = {0, 0, 45*cm} }
nail { brain, at = {-3*cm, 3*cm, 46*cm} }
nail { brain, at = {-3*cm, -3*cm, 46*cm} }
grab { brain, at = {7*cm, 3*cm, 51*cm}, path = { {0, {7*cm, 3*cm, 51*cm}}, {0.7*s, {13*cm, 6*cm, 53*cm}} }, stiffness = 400, damping = 4, most = pull, release = 1.1*s }
grab { brain, at = {-6*cm, -3*cm, 53*cm}, path = { {0, {-6*cm, -3*cm, 53*cm}}, {0.7*s, {-10*cm, -8*cm, 58*cm}} }, stiffness = 400, damping = 4, most = pull,
  release = 1.1*s }
film { camera = { position = {0.25*m, -0.75*m, 0.72*m}, target = {0, 0, 50*cm}, fov = 26 }, fps = 30 }
