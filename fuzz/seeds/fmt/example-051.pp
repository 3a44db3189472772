if $x=~/^a  b$/ { notice(versioncmp($y,'1.2')>=0) }
