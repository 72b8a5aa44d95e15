---@brief
---
--- https://github.com/celvet/celvet
---
--- celvet lints the CEL and JSONPath health checks of GitOps manifests: Flux, Flux Operator, Cartographer, Crossplane, kro.
---
--- ```sh
--- uv tool install 'celvet[lsp]'
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'celvet', 'lsp' },
  filetypes = { 'yaml' },
  root_markers = { '.celvet.yaml', '.git' },
}
