define d($x) { notify { $title: message => $x } }
create_resources(d, {a=>{x=>1}, b=>{x=>2}})