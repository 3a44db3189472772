@( "END" )
hi
END
