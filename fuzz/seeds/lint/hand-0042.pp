  .reduce([]) | $memo,$value | {
    if ( $value[0] == '/' ) {
      $memo
    }
  }
