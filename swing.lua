local bar = body { name = 'bar', model = 'frame', material = 'steel', cells = 8*mm,
  shape = box { 30*cm, 2*cm, 6*mm }, at = {1, 2, 3}, turn = {0, 0, 90} }
hinge { bar, at = {1, 1.85, 3}, axis = {1, 0, 0}, grip = 0 }
