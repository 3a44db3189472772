function foo(*$a = [5,6]) { $a }
foo(1)