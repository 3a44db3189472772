# frozen_string_literal: true

# What the shim stands on where the interpreter of this program runs it: questions go to the compiler directly (`ask`,
# `from_scope` are the interpreter's own).

module Bunraku
  @objects = {}

  class << self
    attr_reader :settings, :load_path, :environment_name, :objects

    # Which environment the code belongs to.
    def enter(name, load_path, settings)
      @environment_name = name
      @load_path = load_path
      @settings = settings
    end

    # What is asked in the block is asked from the top scope, whichever scope the call is in.
    def from_top(&block)
      from_scope(true, &block)
    end
  end
end
