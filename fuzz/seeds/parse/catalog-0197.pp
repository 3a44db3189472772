Notify { * => {message => d} }
notify { a: }