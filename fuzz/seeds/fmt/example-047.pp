node 'a','b' ,/c/{ include foo }
