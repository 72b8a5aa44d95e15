# What the flake uses of nixpkgs: `import nixpkgs.nix FLAKE` is its packages, as attributes and not as derivations.
file:
let
  flake = import file;
  platform = system: {
    lib.optional = condition: value: if condition then [ value ] else [ ];
    stdenv = {
      mkDerivation = derivation: derivation;
      hostPlatform.isLinux = builtins.match ".*-linux" system != null;
    };
    fetchurl = archive: archive;
    autoPatchelfHook = "autoPatchelfHook";
    zlib = "zlib";
  };
  nixpkgs.legacyPackages = builtins.listToAttrs (map (name: { inherit name; value = platform name; })
    [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ]);
in
(flake.outputs { self = flake; inherit nixpkgs; }).packages
