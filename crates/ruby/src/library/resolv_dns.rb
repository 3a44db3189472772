
# Questions to name servers, which are sent through the world.
class Resolv
  class DNS
    Port = 53
    # Without an answer, servers are asked again after so many seconds, and longer.
    TIMEOUTS = [5, 10, 20, 40].freeze

    class DecodeError < StandardError; end
    class EncodeError < StandardError; end

    class Config
      class NXDomain < ResolvError; end
      class OtherResolvError < ResolvError; end
    end

    # A name of the domain name system.
    class Name
      attr_reader :labels

      def self.create(name)
        case name
        when Name then name
        when String then new(name.split('.'), name.end_with?('.'))
        else raise ArgumentError, "cannot interpret as DNS name: #{name.inspect}"
        end
      end

      def initialize(labels, absolute = true)
        @labels, @absolute = labels, absolute
      end

      def absolute? = @absolute
      def length = @labels.length
      def [](index) = @labels[index]
      def to_a = @labels
      def to_s = @labels.join('.')
      def inspect = "#<#{self.class}: #{self}#{'.' if @absolute}>"
      def ==(other) = other.is_a?(Name) && to_s.casecmp?(other.to_s) && absolute? == other.absolute?
      alias eql? ==
      def hash = to_s.downcase.hash

      def subdomain_of?(other)
        above = Name.create(other).labels.map(&:downcase)
        @labels.length > above.length && @labels.last(above.length).map(&:downcase) == above
      end
    end

    class Query; end

    class Resource < Query
      attr_reader :ttl

      def ==(other) = other.is_a?(self.class) && __fields == other.__fields
      alias eql? ==
      def hash = __fields.hash

      def __fields
        (instance_variables - [:@ttl]).map { |name| instance_variable_get(name) }
      end

      def __with_ttl(ttl)
        @ttl = ttl
        self
      end

      class Generic < Resource
        attr_reader :data

        def initialize(data)
          @data = data
        end
      end

      # A resource that is a name.
      class DomainName < Resource
        attr_reader :name

        def initialize(name)
          @name = name
        end
      end

      class NS < DomainName; end
      class CNAME < DomainName; end
      class PTR < DomainName; end
      class ANY < Query; end

      class MX < Resource
        attr_reader :preference, :exchange

        def initialize(preference, exchange)
          @preference, @exchange = preference, exchange
        end
      end

      class TXT < Resource
        attr_reader :strings

        def initialize(first, *others)
          @strings = [first, *others]
        end

        def data = @strings.join
      end

      class SOA < Resource
        attr_reader :mname, :rname, :serial, :refresh, :retry, :expire, :minimum

        def initialize(mname, rname, serial, refresh, retry_after, expire, minimum)
          @mname, @rname, @serial, @refresh, @retry, @expire, @minimum = mname, rname, serial, refresh, retry_after, expire, minimum
        end
      end

      module IN
        class A < Resource
          attr_reader :address

          def initialize(address)
            @address = IPv4.create(address)
          end
        end

        class AAAA < Resource
          attr_reader :address

          def initialize(address)
            @address = IPv6.create(address)
          end
        end

        class SRV < Resource
          attr_reader :priority, :weight, :port, :target

          def initialize(priority, weight, port, target)
            @priority, @weight, @port, @target = priority.to_int, weight.to_int, port.to_int, Name.create(target)
          end
        end

        class CAA < Resource
          attr_reader :flags, :tag, :value

          def initialize(flags, tag, value)
            @flags, @tag, @value = flags, tag, value
          end
        end

        NS = Class.new(Resource::NS)
        CNAME = Class.new(Resource::CNAME)
        PTR = Class.new(Resource::PTR)
        MX = Class.new(Resource::MX)
        TXT = Class.new(Resource::TXT)
        SOA = Class.new(Resource::SOA)
        ANY = Class.new(Resource::ANY)
      end

      TYPES = { IN::A => 1, IN::NS => 2, IN::CNAME => 5, IN::SOA => 6, IN::PTR => 12, IN::MX => 15, IN::TXT => 16,
                IN::AAAA => 28, IN::SRV => 33, IN::CAA => 257, IN::ANY => 255 }.freeze
    end

    # A message of the protocol: what is asked, and what is answered.
    class Message
      attr_reader :answers

      def self.question(number, name, type)
        labels = name.labels.map { |label| [label.bytesize].pack('C') + label.b }.join.b
        [number, 0x0100, 1, 0, 0, 0].pack('n6') + labels + "\0".b + [type, 1].pack('n2')
      end

      def initialize(bytes)
        @bytes = bytes.b
        raise DecodeError, 'limit exceeded' if @bytes.bytesize < 12

        @number, @flags, questions, answers = @bytes.unpack('n4')
        @at = 12
        questions.times do
          name
          @at += 4
        end
        @answers = Array.new(answers) { answer }
      end

      def answers?(number) = @number == number && @flags & 0x8000 != 0
      def code = @flags & 15
      def truncated? = @flags & 0x0200 != 0

      private

      def take(count, form)
        part = @bytes.byteslice(@at, count)
        raise DecodeError, 'limit exceeded' if part.nil? || part.bytesize < count

        @at += count
        part.unpack(form)
      end

      def name(jumps = 0)
        labels = []
        loop do
          length = take(1, 'C').first
          break if length.zero?

          if length & 0xc0 == 0xc0
            target = (length & 0x3f) << 8 | take(1, 'C').first
            raise DecodeError, 'non-backward name pointer' if jumps > 63 || target >= @at

            back, @at = @at, target
            labels.concat(name(jumps + 1).labels)
            @at = back
            break
          end
          labels << take(length, 'a*').first.force_encoding('UTF-8')
        end
        Name.new(labels)
      end

      def answer
        owner = name
        type, _class, ttl, length = take(10, 'nnNn')
        finish = @at + length
        resource = resource(type, finish)
        @at = finish
        [owner, resource.__with_ttl(ttl)]
      end

      def resource(type, finish)
        case type
        when 1 then Resource::IN::A.new(take(4, 'C4').join('.'))
        when 28 then Resource::IN::AAAA.new(take(16, 'n8').map { |group| group.to_s(16) }.join(':'))
        when 2 then Resource::IN::NS.new(name)
        when 5 then Resource::IN::CNAME.new(name)
        when 12 then Resource::IN::PTR.new(name)
        when 15 then Resource::IN::MX.new(take(2, 'n').first, name)
        when 33 then Resource::IN::SRV.new(*take(6, 'n3'), name)
        when 6 then Resource::IN::SOA.new(name, name, *take(20, 'N5'))
        when 16
          texts = []
          texts << take(take(1, 'C').first, 'a*').first while @at < finish
          Resource::IN::TXT.new(*texts)
        when 257
          flags, size = take(2, 'CC')
          Resource::IN::CAA.new(flags, take(size, 'a*').first, take(finish - @at, 'a*').first)
        else Resource::Generic.new(take(finish - @at, 'a*').first)
        end
      end
    end

    def self.open(*arguments)
      dns = new(*arguments)
      return dns unless block_given?

      begin
        yield dns
      ensure
        dns.close
      end
    end

    def initialize(config = nil)
      @config = config
      @timeouts = nil
    end

    def timeouts=(values)
      @timeouts = values && Array(values)
    end

    def lazy_initialize = self
    def close = nil

    def getaddress(name)
      each_address(name) { |address| return address }
      raise ResolvError, "DNS result has no information for #{name}"
    end

    def getaddresses(name)
      addresses = []
      each_address(name) { |address| addresses << address }
      addresses
    end

    def each_address(name)
      each_resource(name, Resource::IN::A) { |resource| yield resource.address }
      each_resource(name, Resource::IN::AAAA) { |resource| yield resource.address } if __uses_ipv6?
    end

    def getname(address)
      each_name(address) { |name| return name }
      raise ResolvError, "DNS result has no information for #{address}"
    end

    def getnames(address)
      names = []
      each_name(address) { |name| names << name }
      names
    end

    def each_name(address)
      name = case address
             when Name then address
             when IPv4, IPv6 then address.to_name
             when IPv4::Regex then IPv4.create(address).to_name
             when IPv6::Regex then IPv6.create(address).to_name
             else raise ResolvError, "cannot interpret as address: #{address}"
             end
      each_resource(name, Resource::IN::PTR) { |resource| yield resource.name }
    end

    def getresource(name, typeclass)
      each_resource(name, typeclass) { |resource| return resource }
      raise ResolvError, "DNS result has no information for #{name}"
    end

    def getresources(name, typeclass)
      resources = []
      each_resource(name, typeclass) { |resource| resources << resource }
      resources
    end

    def each_resource(name, typeclass, &block)
      type = Resource::TYPES.fetch(typeclass) { raise ArgumentError, "unknown type of resource: #{typeclass}" }
      __candidates(Name.create(name)).each do |candidate|
        reply = __reply(candidate, type)
        return __extract(reply, candidate, typeclass).each(&block) if reply
      end
    rescue ResolvError, DecodeError
      nil
    end

    private

    def __settings
      @settings ||= case @config
                    when Hash then { nameserver: @config[:nameserver_port] || Array(@config[:nameserver]), search: Array(@config[:search]), ndots: @config[:ndots] || 1 }
                    else __read(@config.is_a?(String) ? @config : '/etc/resolv.conf')
                    end
    end

    def __read(path)
      settings = { nameserver: [], search: [], ndots: 1 }
      lines = File.exist?(path) ? File.readlines(path, chomp: true) : []
      lines.map { |line| line.sub(/[#;].*/, '').split }.each do |word, *values|
        case word
        when 'nameserver' then settings[:nameserver].concat(values)
        when 'domain', 'search' then settings[:search] = values
        when 'options' then values.each { |value| settings[:ndots] = $1.to_i if value =~ /\Andots:(\d+)\z/ }
        end
      end
      settings[:nameserver] = ['127.0.0.1'] if settings[:nameserver].empty?
      settings
    end

    def __uses_ipv6?
      Socket.ip_address_list.any? { |address| address.ipv6? && !address.ipv6_loopback? && !address.ipv6_linklocal? }
    end

    def __candidates(name)
      return [name] if name.absolute?

      searched = __settings[:search].map { |domain| Name.new(name.labels + domain.split('.')) }
      whole = Name.new(name.labels)
      __settings[:ndots] <= name.length - 1 ? [whole, *searched] : [*searched, whole]
    end

    # The answer of a server; nothing if there is no such name.
    def __reply(name, type)
      (@timeouts || TIMEOUTS).each do |seconds|
        __settings[:nameserver].each do |server, port|
          number = Random.rand(0x10000)
          question = Message.question(number, name, type)
          reply = __exchange(server, port, question, seconds, number) or next
          case reply.code
          when 0 then return reply
          when 3 then return nil
          else raise ResolvError, "#{name}: the server answers #{reply.code}"
          end
        end
      end
      raise ResolvError, "DNS resolution timeout: #{name}"
    end

    def __exchange(server, port, question, seconds, number)
      [false, true].each do |by_stream|
        bytes = Resolv.__ask(server.to_s, port || Port, question, by_stream, seconds) or return nil
        reply = Message.new(bytes)
        return nil unless reply.answers?(number)
        return reply unless reply.truncated? && !by_stream
      end
      nil
    end

    def __extract(reply, name, typeclass)
      return reply.answers.map(&:last) if typeclass == Resource::IN::ANY

      found = reply.answers.select { |owner, resource| owner == name && resource.is_a?(typeclass) }.map(&:last)
      seen = []
      until found.any? || seen.include?(name.to_s)
        seen << name.to_s
        alias_of = reply.answers.find { |owner, resource| owner == name && resource.is_a?(Resource::CNAME) } or break
        name = alias_of.last.name
        found = reply.answers.select { |owner, resource| owner == name && resource.is_a?(typeclass) }.map(&:last)
      end
      found
    end
  end

  class IPv6
    def to_name
      groups = __groups.map { |group| group.rjust(4, '0') }
      DNS::Name.create("#{groups.join.chars.reverse.join('.')}.ip6.arpa.")
    end

    def address = __groups.map(&:hex).pack('n8')

    private

    def __groups
      text = to_s.sub(/(\d+)\.(\d+)\.(\d+)\.(\d+)\z/) { format('%02x%02x:%02x%02x', $1.to_i, $2.to_i, $3.to_i, $4.to_i) }
      left, right = text.split('::', 2).map { |half| half.split(':') }
      return left if right.nil?

      left + ['0'] * (8 - left.length - right.length) + right
    end
  end
end
