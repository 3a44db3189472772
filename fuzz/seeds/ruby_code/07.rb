class Vis
  def pub = priv + prot_of(Vis.new)
  def prot_of(o) = o.prot
  protected def prot = 'prot'
  private
  def priv = 'priv'
  public
  def pub2 = self.priv
end
[Vis.new.pub, Vis.new.pub2, Vis.private_instance_methods(false), Vis.public_method_defined?(:pub)]

