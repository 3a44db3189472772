@(E.N.D)
hi
E.N.D
