@(END/x)
a
END
