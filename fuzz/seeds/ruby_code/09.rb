def risky
  yield
rescue ZeroDivisionError, TypeError => e
  "math: #{e.message}"
rescue NameError => e
  "name: #{e.message}"
end
[risky { 1 / 0 }, risky { 1 + nil }, risky { undefined_thing }, risky { nil.zork }]

