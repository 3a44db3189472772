class myclass { }
'myclass'.require