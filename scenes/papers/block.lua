-- block.lua: the notched block of S6 chapter 4: its top is held, a hole in its lower half is pulled down.
--   fracas sweep block.lua --vary residual=0:1 --set every=4ms    long times between scans: branches, and how residuals
--                                                                 (alpha of eq. 4.7) mend them, figures 4.13 to 4.16
--   fracas sweep block.lua --vary weak=none:x:z:turned            anisotropy and its rotation by 45 degrees, figure 4.21
--   fracas sweep block.lua --vary cell=8cm:4cm                    resolution, figure 4.22
--   fracas sweep block.lua --vary along_faces=false:true          cracks along any plane, or along faces of the mesh, figure 4.24
--   fracas run block.lua --set back=0                             without avoiding back-cracks, figure 4.20
-- Printed: the notch half way, the held top, the pulled hole, the meshes (edges of 8 and 4 cm), S. Filled in: a soft material, 0.4 m/s.
local residual = param("residual", 0, {min = 0, max = 1, help = "alpha of S6 eq. 4.7"})
local every = param("every", 0*ms, {min = -1*ms, max = 10*ms, help = "time between scans for cracks; 0: every step, as there; below 0: chosen"})
local back  = param("back", 20, {min = 0, max = 80, help = "least angle with an old crack, degrees"})
local weak  = param("weak", "none", {choices = {"none", "x", "z", "turned"}, help = "which axis is tender, figure 4.21"})
local along_faces = param("along_faces", false, {help = "true: cracks along the faces of the mesh, figure 4.24"})
local cell  = param("cell", 8*cm, {min = 2*cm, max = 20*cm, help = "edge of the tets, figure 4.22"})
local size, thick, hole = 1*m, 10*cm, 12*cm

scene { duration = 0.12*s, fps = 500, seed = 3, gravity = {0, 0, 0} }

material { name = "block", base = "s6-ceramic", lambda = 5.8e6, mu = 3.85e6, density = 1000,
  phi = 1.2*kPa*s, psi = 0.8*kPa*s, tau = 0, strength = 150*kPa }

-- what S6 prints as 1/2 counts twice (E20): a quarter as tough
local tough = { none = {1, 1, 1}, x = {0.25, 1, 1}, z = {1, 1, 0.25}, turned = {1, 1, 0.25} }
local block = body {
  name = "block", material = "block", cells = cell, mesher = "structured",
  shape = box { size, thick, size }, at = {0, 0, size / 2},
  cuts = { { at = {-size / 2, 0, 0}, normal = {0, 0, 1}, radius = size / 2 } },
  crack = { upright = false, along_faces = along_faces, residual = residual,
            toughness = tough[weak], cleavage = {0, weak == "turned" and 45 or 0, 0},
            criterion = { scan_interval = every >= 0 and every or nil }, remeshing = { back_angle = back } },
}
fix   { block, where = above { z = size / 2 - 1*cm } }
drive { block, where = near { at = {0, 0, -size / 4}, radius = hole }, velocity = {0, 0, -0.4} }

film { camera = { position = {0, -3.2*m, 0.5*m}, target = {0, 0, 0.45*m}, fov = 24 } }
