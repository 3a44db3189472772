notify{'x': message=>'y'}
