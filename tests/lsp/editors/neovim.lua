-- Drives a headless Neovim through what a user does.
-- By environment: CONFIG is the user's configuration, MANIFEST the file, ANSWERS where to write
-- what came.
dofile(vim.env.CONFIG)

vim.cmd("filetype on")
vim.cmd("edit " .. vim.env.MANIFEST)
local answers = {}

local function request(method, params)
  local found = vim.lsp.buf_request_sync(0, method, params, 20000)
  local _, answer = next(found or {})
  return answer and answer.result or nil
end

local function diagnosed(count)
  vim.wait(30000, function() return #vim.diagnostic.get(0) == count end, 20)
  local codes = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(codes, { each.code or each.user_data.lsp.code, each.lnum, each.col, each.end_col })
  end
  return codes
end

answers.diagnostics = diagnosed(2)

vim.fn.cursor(vim.fn.search("filter(e"), vim.fn.col(".") + 1)
answers.hover = request("textDocument/hover", vim.lsp.util.make_position_params()).contents.value

local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { "quickfix" } }
for _, action in ipairs(request("textDocument/codeAction", params)) do
  if action.isPreferred or action.title:find("^Write") then
    local _, client = next(vim.lsp.buf_get_clients(0))
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
    answers.action = action.title
    break
  end
end
answers.after = diagnosed(1)

vim.fn.append("$", "      failed: status.conditions.exists(c, c.")
vim.fn.cursor(vim.fn.line("$"), 1000)
local position = vim.lsp.util.make_position_params()
position.position.character = #vim.fn.getline("$")
answers.completion = {}
for _, item in ipairs(request("textDocument/completion", position).items) do
  table.insert(answers.completion, item.label)
end
vim.fn.deletebufline("%", vim.fn.line("$"))

vim.cmd("write")
vim.fn.writefile({ vim.fn.json_encode(answers) }, vim.env.ANSWERS)
vim.cmd("qall!")
