Notify { message => d }
notify { a: message => undef }