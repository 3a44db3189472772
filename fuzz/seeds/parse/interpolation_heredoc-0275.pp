@("END")
hi ${1+1} $facts
END
