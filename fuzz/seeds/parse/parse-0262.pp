'unclosed
string
