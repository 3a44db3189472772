@(END)
  indented
    more
  | END
