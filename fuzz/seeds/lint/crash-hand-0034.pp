$cmd1 = @("EOT")
class_id=${class_id}
src_ips="${src_ips}"
parent=${parent}
device=${device}
| EOT
