# What Homebrew gives a formula, according to Library/Homebrew/formula.rb and extend/pathname.rb: it
# unpacks the archive, enters its only directory, and calls `install` there, and then `test`.
#   ruby homebrew.rb FORMULA ARCHIVES PREFIX
require "digest"
require "fileutils"
require "open3"
require "pathname"
require "tmpdir"

class Pathname
  def install(*sources) = _put(sources) { |source, target| FileUtils.mv(source, target) }
  def install_symlink(*sources) = _put(sources) { |source, target| File.symlink(source, target) }

  def _put(sources)
    mkpath
    sources.flatten.each do |source|
      pairs = source.is_a?(Hash) ? source : { source => File.basename(source) }
      pairs.each { |from, name| yield from, self/name }
    end
  end
end

class Formula
  ARM = RbConfig::CONFIG["host_cpu"].match?(/arm|aarch64/)
  MACOS = RbConfig::CONFIG["host_os"].include?("darwin")

  class << self
    %w[desc homepage license sha256 url version].each do |name|
      define_method(name) { |value = nil| value ? instance_variable_set("@#{name}", value) : instance_variable_get("@#{name}") }
    end
    def on_macos = MACOS && yield
    def on_linux = MACOS || yield
    def on_arm = ARM && yield
    def on_intel = ARM || yield
    def test(&block) = define_method(:test, &block)
  end

  %w[bin libexec].each { |name| define_method(name) { PREFIX/name } }
  def man1 = PREFIX/"share/man/man1"
  def bash_completion = PREFIX/"etc/bash_completion.d"
  def fish_completion = PREFIX/"share/fish/vendor_completions.d"
  def zsh_completion = PREFIX/"share/zsh/site-functions"
  def testpath = Pathname.pwd

  def shell_output(command, status)
    output, ended = Open3.capture2(command)
    raise "#{command}: #{ended}" unless ended.exitstatus == status
    output
  end

  def assert_match(expected, output) = output.include?(expected) || raise("no #{expected} in #{output}")
end

formula, archives, prefix = ARGV.map { |argument| File.expand_path(argument) }
PREFIX = Pathname(prefix)
load formula
archive = File.join(archives, File.basename(Celvet.url))
raise "the checksum is that of another file" unless Digest::SHA256.file(archive).hexdigest == Celvet.sha256
Dir.mktmpdir do |directory|
  system("tar", "--extract", "--file", archive, "--directory", directory, exception: true)
  (only,) = Pathname(directory).children
  Dir.chdir(only) { Celvet.new.install }
end
Dir.mktmpdir { |directory| Dir.chdir(directory) { Celvet.new.test } }
