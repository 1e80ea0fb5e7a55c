pin { body { name = 'b', model = 'frame', material = 'steel',
  shape = box { 1, 1, 1 } }, at = {2, 0, 0}, grip = 1*mm }
