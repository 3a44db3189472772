@(END/L)
a\
b
END
