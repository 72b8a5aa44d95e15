# nix run PATH-OF-THIS-DIRECTORY -- lint .
{
  description = "Lint, test and explain the health checks in GitOps manifests";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
        x86_64-linux = { url = "@url linux_amd64@"; sha256 = "@sha256 linux_amd64@"; };
        aarch64-linux = { url = "@url linux_arm64@"; sha256 = "@sha256 linux_arm64@"; };
        x86_64-darwin = { url = "@url darwin_amd64@"; sha256 = "@sha256 darwin_amd64@"; };
        aarch64-darwin = { url = "@url darwin_arm64@"; sha256 = "@sha256 darwin_arm64@"; };
      };
    in {
      packages = builtins.mapAttrs (system: archive:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.stdenv.mkDerivation {
            pname = "celvet";
            version = "@version@";
            src = pkgs.fetchurl archive;
            nativeBuildInputs = pkgs.lib.optional pkgs.stdenv.hostPlatform.isLinux pkgs.autoPatchelfHook;
            buildInputs = [ pkgs.zlib ];
            dontStrip = true; # the program carries its modules behind its code
            installPhase = ''
              mkdir -p $out/libexec $out/bin
              cp -r . $out/libexec/celvet
              for name in celvet kubectl-celvet flux-celvet; do
                ln -s $out/libexec/celvet/celvet $out/bin/$name
              done
              ln -s $out/libexec/celvet/share $out/share
            '';
            meta.mainProgram = "celvet";
          };
        }) archives;
    };
}
