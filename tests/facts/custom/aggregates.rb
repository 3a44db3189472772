# Facts that are put together of chunks.
Facter.add(:merged, type: :aggregate) do
  chunk(:one) { { 'a' => { 'x' => 1 }, 'list' => [1] } }
  chunk(:two) { { 'a' => { 'y' => 2 }, 'list' => [2] } }
end
Facter.add(:joined, type: :aggregate) do
  chunk(:one) { [1] }
  chunk(:none) { nil }
  chunk(:two, require: :one) { |one| one + [2] }
end
Facter.add(:summed, type: :aggregate) do
  chunk(:three, require: %i[one two]) { |one, two| one + two }
  chunk(:one) { 1 }
  chunk(:two) { 2 }
  aggregate { |chunks| chunks.values.sum }
end
Facter.add(:frozen, type: :aggregate) do
  chunk(:one) { ['a'] }
  chunk(:two, require: [:one]) { |one| [one.frozen?, one.first.frozen?] }
end
Facter.add(:circle, type: :aggregate) do
  chunk(:one, require: :two) { 1 }
  chunk(:two, require: :one) { 2 }
end
Facter.add(:unlike, type: :aggregate) do
  chunk(:one) { { 'a' => 1 } }
  chunk(:two) { { 'a' => 2 } }
end
Facter.add(:lacking, type: :aggregate) { chunk(:one, require: :nowhere) { 1 } }
Facter.add(:confined_aggregate, type: :aggregate) do
  confine kernel: 'Linux'
  has_weight 20
  chunk(:one) { { 'here' => true } }
end
