@(END)
|END
