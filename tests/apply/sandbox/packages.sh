#!/bin/sh
# Stands for rpm, dnf, yum, zypper or npm: /case/db has what is installed, /case/repo what could be, a line each:
# name epoch version release machine. What changes something is written to /case/calls.
db=/case/db repo=/case/repo me=${0##*/}
touch $db $repo
log() { echo "$me $*" >> /case/calls; }
put() { # name [version]
  line=$(awk -v n="$1" -v v="$2" '$1 == n && (v == "" || $3 == v || $3 "-" $4 == v)' $repo | tail -n 1)
  [ -n "$line" ] || return 1
  grep -v "^$1 " $db > $db.new; echo "$line" >> $db.new; cat $db.new > $db; rm $db.new
}
drop() { grep -q "^$1 " $db || return 1; grep -v "^$1 " $db > $db.new; cat $db.new > $db; rm $db.new; }
place() { # name or name-version[-release]
  put "$1" || { n=${1%%-[0-9]*}; put "$n" "${1#"$n"-}"; }
}
case $me in
rpm)
  case $1 in
    --version) echo "RPM version 4.16.1.3";;
    -qa) cat $db;;
    -q) case " $* " in
          *" -p "*) for f; do :; done; cat "$f";;
          *whatprovides*) grep "^real-$2 " $db || { echo "no package provides $2"; exit 1; };;
          *) grep "^$2 " $db || { echo "package $2 is not installed"; exit 1; };;
        esac;;
    -i|-U) log "$@"; for f; do :; done; n=$(cut -d' ' -f1 "$f"); grep -v "^$n " $db > $db.new; cat "$f" >> $db.new; cat $db.new > $db; rm $db.new;;
    -e) log "$@"; for n; do :; done; drop "$n" || { echo "error: package $n is not installed"; exit 1; };;
  esac;;
dnf|yum)
  case " $* " in
    *" check-update "*)
      found=0
      while read -r n e v r m; do
        w=$(grep "^$n " $repo | tail -n 1)
        [ -z "$w" ] || [ "$w" = "$n $e $v $r $m" ] || { found=1; echo "$w" | awk '{print $1 "." $5 "   " ($2 == 0 ? "" : $2 ":") $3 "-" $4 "   updates"}'; }
      done < $db
      [ $found = 0 ] || exit 100;;
    *" --showduplicates"*)
      echo "Installed Packages"; echo "Available Packages"
      awk -v n="$2" '$1 == n {print $1 "." $5 "  " ($2 == 0 ? "" : $2 ":") $3 "-" $4 "  repo"}' $repo;;
    *" list "*) for n; do :; done; grep -q "^$n " $repo || { echo "Error: No matching Packages to list"; exit 1; };;
    *" remove "*) log "$@"; for n; do :; done; drop "$n";;
    *" install "*|*" upgrade "*|*" update "*|*" downgrade "*)
      log "$@"; for n; do :; done
      [ -f "$n" ] && { cat "$n" >> $db; exit 0; }
      place "$n" || { echo "No package $n available."; [ $me = yum ] || { echo "Error: Unable to find a match: $n"; exit 1; }; };;
  esac;;
zypper)
  case " $* " in
    *" --version "*) echo "zypper 1.14.42";;
    *" list-updates "*)
      echo "S | Repository | Name | Current Version | Available Version | Arch"
      while read -r n e v r m; do
        w=$(grep "^$n " $repo | tail -n 1)
        [ -z "$w" ] || [ "$w" = "$n $e $v $r $m" ] || echo "$w" | awk -v c="$v-$r" '{print "v | main | " $1 " | " c " | " $3 "-" $4 " | " $5}'
      done < $db;;
    *" search "*) for n; do :; done; echo "S | Name | Type | Version | Arch | Repository"; awk -v n="$n" '$1 == n {print "  | " $1 " | package | " $3 "-" $4 " | " $5 " | main"}' $repo;;
    *" remove "*) log "$@"; for n; do :; done; drop "$n";;
    *" install "*) log "$@"; for n; do :; done; place "$n" || { echo "No provider of '$n' found."; exit 104; };;
  esac;;
npm)
  case $1 in
    list) echo '{"name": "lib", "dependencies": {'; s=''; while read -r n v; do printf '%s"%s": {"version": "%s", "overridden": false}' "$s" "$n" "$v"; s=', '; done < $db; echo '}}';;
    outdated) while read -r n v; do w=$(grep "^$4$3 " $repo | tail -n 1); [ "$w" = "$n $v" ] || echo "/usr/lib/node_modules/$n:${w% *}@${w#* }:$n@$v:$n@${w#* }"; done < $db;;
    install) log "$@"; for n; do :; done; v=${n#*@}; p=${n%@*}; [ "$p" != "$n" ] || v=$(grep "^$p " $repo | tail -n 1 | cut -d' ' -f2)
      grep -q "^$p $v\$" $repo || { echo "npm ERR! code ETARGET"; exit 1; }
      grep -v "^$p " $db > $db.new; echo "$p $v" >> $db.new; cat $db.new > $db; rm $db.new;;
    uninstall) log "$@"; for n; do :; done; drop "$n";;
  esac;;
esac
