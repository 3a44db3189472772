class params { $port = 8080
 $name_ = 'svc' }
class svc($port = $params::port, $label = "${params::name_}-x") inherits params {
  notify { $label: message => $port }
}
include svc
