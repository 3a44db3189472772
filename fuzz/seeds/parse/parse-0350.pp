if abc =~ /(a)b(c)/ {
}
elsif {
}
else {
}