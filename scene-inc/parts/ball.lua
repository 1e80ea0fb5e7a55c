return ball(5*cm)
