notify { 'A': }
notify { 'a': }