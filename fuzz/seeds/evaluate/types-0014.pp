$value = 5
case $value {
  Integer[1,10] : { true }
}