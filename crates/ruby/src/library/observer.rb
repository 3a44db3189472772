# Objects that tell others of their changes.
module Observable
  def add_observer(observer, method = :update)
    raise NoMethodError, "observer does not respond to `#{method}'" unless observer.respond_to?(method)
    (@observer_peers ||= {})[observer] = method
  end

  def delete_observer(observer) = @observer_peers&.delete(observer)
  def delete_observers = @observer_peers&.clear
  def count_observers = @observer_peers ? @observer_peers.size : 0

  def changed(state = true)
    @observer_state = state
  end

  def changed? = !!@observer_state

  def notify_observers(*args)
    return unless @observer_state
    @observer_peers&.each { |observer, method| observer.__send__(method, *args) }
    @observer_state = false
  end
end
