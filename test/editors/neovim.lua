-- Runs in a headless Neovim: a client that nobody here has written.
local session = dofile(debug.getinfo(1, 'S').source:match('^@(.*/)') .. 'neovim-session.lua')

session('cuda-cpp', function(id, say)
  assert(vim.wait(15000, function() return #vim.diagnostic.get(0) == 1 end, 20), 'no diagnostic')
  local found = vim.diagnostic.get(0)[1]
  say(('diagnostic %d:%d %s [%s] %s'):format(found.lnum, found.col, found.source, found.code, found.message))

  local document = vim.lsp.util.make_text_document_params()
  local start = { line = found.lnum, character = found.col }
  local range = { start = start, ['end'] = { line = found.end_lnum, character = found.end_col } }
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', { textDocument = document, position = start }, 5000)
  say('hover ' .. (hover[id].result and hover[id].result.contents.value:gsub('\n', ' ') or ''))

  local launch = { line = 2, character = vim.api.nvim_buf_get_lines(0, 2, 3, false)[1]:find('<<<', 1, true) }
  local threads = vim.lsp.buf_request_sync(0, 'textDocument/hover', { textDocument = document, position = launch }, 5000)
  say('launch ' .. (threads[id].result and threads[id].result.contents.value:match('%d+ threads') or 'none'))
  local lenses = vim.lsp.buf_request_sync(0, 'textDocument/codeLens', { textDocument = document }, 5000)[id].result
  local titles = {}
  for _, lens in ipairs(lenses) do if lens.range.start.line == 2 then table.insert(titles, lens.command.title) end end
  say('lens ' .. #titles)

  local context = { diagnostics = { found.user_data.lsp and { range = range, message = found.message, code = found.code, source = found.source } } }
  local actions = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', { textDocument = document, range = range, context = context }, 5000)
  local action = actions[id].result[1]
  say('action ' .. action.title)
  if not action.edit then
    action = vim.lsp.buf_request_sync(0, 'codeAction/resolve', action, 5000)[id].result
  end
  vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
  assert(vim.wait(15000, function() return #vim.diagnostic.get(0) == 0 end, 20), 'the diagnostic stays')
  say('line ' .. vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
end)
