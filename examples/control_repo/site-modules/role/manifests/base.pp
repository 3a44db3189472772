# What every machine is.
class role::base {
  contain profile::base
}
