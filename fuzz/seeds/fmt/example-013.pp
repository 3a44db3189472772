class{'foo' :
  bar=>1,
}
