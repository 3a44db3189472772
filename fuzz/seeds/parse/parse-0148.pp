@(E)
text
E
