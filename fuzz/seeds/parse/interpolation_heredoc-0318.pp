@(END)
a
b
END
