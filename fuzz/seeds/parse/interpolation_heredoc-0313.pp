$x = @(END)
hello
END

notice($x)