# Every node gets the role its name tells.
node /^web\d+\./ {
  include role::web
}

node default {
  include role::base
}
