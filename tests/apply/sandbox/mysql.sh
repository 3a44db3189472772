#!/bin/sh
# Stands for the client of MySQL: what changes something is written to /case/calls, questions are answered from files in /case/db.
case $1 in --version|-V) echo "mysql  Ver 15.1 Distrib 10.11.6-MariaDB"; exit;; esac
sql='' ; db='' ; prev=''
for a; do
  case $prev in -e|-NBe) sql=$a;; esac
  case $a in --database=*) db=${a#*=};; -*) ;; *) [ "$prev" = -e ] || [ "$prev" = -NBe ] || db=$a;; esac
  prev=$a
done
[ -n "$sql" ] || sql=$(cat)
case $sql in
  "show databases") cat /case/db/databases;;
  "show variables"*) cat "/case/db/variables.$db";;
  "SELECT CONCAT(User"*) cut -f1 /case/db/users;;
  "SELECT MAX_USER"*) n=${sql##*= \'}; n=${n%\'}; awk -F'\t' -v n="$n" '$1 == n' /case/db/users | cut -f2-;;
  "SHOW GRANTS FOR "*) n=${sql#SHOW GRANTS FOR }; n=$(echo "${n%;}" | tr -d "'"); cat "/case/db/grants.$n" 2>/dev/null || { echo "ERROR 1141 (42000) at line 1: There is no such grant defined for user"; exit 1; };;
  "show plugins") cat /case/db/plugins;;
  *fail*) echo "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax"; exit 1;;
  *) echo "$sql" >> /case/calls;;
esac
