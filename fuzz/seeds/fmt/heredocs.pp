f(@(A), @("B"/)) -> # c
 a
 | A
 ${b} @(X)
 | B
 g { 'x': c => @(C) }
 c
 C
