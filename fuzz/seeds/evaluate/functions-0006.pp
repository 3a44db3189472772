function foo(Array[String,1,2] *$rest) { $rest }
foo(a,b,c)