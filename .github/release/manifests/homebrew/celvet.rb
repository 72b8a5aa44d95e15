# For a tap: Formula/celvet.rb
class Celvet < Formula
  desc "Lint, test and explain the health checks in GitOps manifests"
  homepage "@repository@"
  version "@version@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@url darwin_arm64@"
      sha256 "@sha256 darwin_arm64@"
    end
    on_intel do
      url "@url darwin_amd64@"
      sha256 "@sha256 darwin_amd64@"
    end
  end

  on_linux do
    on_arm do
      url "@url linux_arm64@"
      sha256 "@sha256 linux_arm64@"
    end
    on_intel do
      url "@url linux_amd64@"
      sha256 "@sha256 linux_amd64@"
    end
  end

  def install
    man1.install "share/man/man1/celvet.1"
    bash_completion.install "share/completions/celvet.bash" => "celvet"
    fish_completion.install "share/completions/celvet.fish"
    zsh_completion.install "share/completions/celvet.zsh" => "_celvet"
    libexec.install Dir["*"]
    %w[celvet kubectl-celvet flux-celvet].each do |name|
      bin.install_symlink libexec/"celvet" => name
    end
  end

  test do
    (testpath/"apps.yaml").write <<~YAML
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: apps, namespace: flux-system}
      spec:
        wait: true
        healthCheckExprs:
          - {apiVersion: example.com/v1, kind: Database, current: status.ready = true}
    YAML
    assert_match "cel-syntax", shell_output("#{bin}/celvet lint apps.yaml", 1)
  end
end
