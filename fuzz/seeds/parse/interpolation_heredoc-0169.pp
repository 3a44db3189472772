$case = 5
"${case} ${$case}"