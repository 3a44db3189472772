{ 'x' => { 'y' => 1 } }.each_with_object([]) { |(k, v), a| v.each { |k2, v2| a << [k, k2, v2].join('.') } }
