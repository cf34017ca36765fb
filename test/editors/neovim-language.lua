-- Runs in a headless Neovim and asks for each feature of the language once.
local session = dofile(debug.getinfo(1, 'S').source:match('^@(.*/)') .. 'neovim-session.lua')

session('opencl', function(id, say)
  local client = vim.lsp.get_client_by_id(id)
  assert(vim.wait(15000, function() return client.initialized end, 20), 'not initialized')
  local document = vim.lsp.util.make_text_document_params()
  local place = function(mark)
    for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
      local at = line:find(mark, 1, true)
      if at then return { line = number - 1, character = at - 1 } end
    end
    error('no ' .. mark)
  end
  local ask = function(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
    return answers and answers[id] and answers[id].result or {}
  end
  local at = function(mark, more) return vim.tbl_extend('error', { textDocument = document, position = place(mark) }, more or {}) end
  local target = function(found)
    local first = found[1]
    return first and (first.uri:match('[^/]+$') .. ':' .. (first.range.start.line + 1)) or 'none'
  end

  say('definition ' .. target(ask('textDocument/definition', at('twice(out'))))
  say('builtin ' .. (target(ask('textDocument/definition', at('get_global_id'))):match('^[^:]+')))
  say('type ' .. target(ask('textDocument/typeDefinition', at('body->'))))
  say('members ' .. #ask('textDocument/documentSymbol', { textDocument = document })[1].children)
  local selections = ask('textDocument/selectionRange', { textDocument = document, positions = { place('body->') } })
  say('selection ' .. vim.inspect(selections[1].range['end'].character - selections[1].range.start.character))
  local item = ask('textDocument/prepareCallHierarchy', at('twice(out'))[1]
  say('caller ' .. ask('callHierarchy/incomingCalls', { item = item })[1].from.name)
  local signature = ask('textDocument/signatureHelp', at('3);'))
  say('signature ' .. signature.signatures[signature.activeSignature + 1].label)
  say('hover ' .. (ask('textDocument/hover', at('out)')).contents.value:match('__global float %*out') or 'none'))
  say('references ' .. #ask('textDocument/references', at('twice(out', { context = { includeDeclaration = true } })))
  say('folds ' .. #ask('textDocument/foldingRange', { textDocument = document }))
  local use = place('gain; }')
  local actions = ask('textDocument/codeAction', { textDocument = document, range = { start = use, ['end'] = use }, context = { diagnostics = {} } })
  say('action ' .. (actions[1] and actions[1].title or 'none'))
  say('memory ' .. ask('workspace/executeCommand', { command = 'gpu-qualifiers.memory', arguments = {} }).kernels[1].label)
  if client.server_capabilities.documentFormattingProvider or client.dynamic_capabilities then
    local edits = ask('textDocument/formatting', { textDocument = document, options = { tabSize = 2, insertSpaces = true } })
    say('formatting ' .. (#edits > 0 and 'changes' or 'none'))
  end
  say('highlights ' .. #ask('textDocument/documentHighlight', at('out)')))
  local completion = ask('textDocument/completion', at('id + 1'))
  local labels = {}
  for _, each in ipairs(completion.items or completion) do table.insert(labels, each.label) end
  table.sort(labels)
  say('completion ' .. table.concat(labels, ','))
  local labels_at = function(line, text)
    vim.api.nvim_buf_set_lines(0, line, line + 1, false, { text })
    local found = ask('textDocument/completion', { textDocument = document, position = { line = line, character = #text } })
    local all = {}
    for _, each in ipairs(found.items or found) do all[each.label] = true end
    return all
  end
  local last = vim.api.nvim_buf_line_count(0)
  for _, case in ipairs({
    { '#include "', 'types.h' },
    { '#pragma OPENCL EXTENSION cl_khr_fp', 'cl_khr_fp64' },
    { '__', '__kernel' },
    { 'int n = twice(0) + ((Body *)0)->', 'at' },
    { '__attribute__((', 'reqd_work_group_size' },
  }) do
    say('completes ' .. case[1] .. (labels_at(last, case[1])[case[2]] and case[2] or ' nothing'))
  end
  vim.api.nvim_buf_set_lines(0, last, -1, false, {})
  local hints = ask('textDocument/inlayHint', { textDocument = document, range = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } } })
  say('hints ' .. #hints)
  say('colors ' .. (#ask('textDocument/semanticTokens/full', { textDocument = document }).data > 0 and 'some' or 'none'))
  say('links ' .. #ask('textDocument/documentLink', { textDocument = document }))
  say('symbols ' .. ask('workspace/symbol', { query = 'scal' })[1].name)
  say('declarations ' .. #ask('textDocument/declaration', at('run(')))
  local refused = vim.lsp.buf_request_sync(0, 'textDocument/prepareRename', at('float4 at'), 20000)[id]
  say('refused ' .. ((refused.error or refused.err or {}).message or 'not'))
  local hosts = ask('callHierarchy/incomingCalls', { item = ask('textDocument/prepareCallHierarchy', at('run('))[1] })
  say('host ' .. (hosts[1] and hosts[1].from.name or 'none'))
  local callees = ask('callHierarchy/outgoingCalls', { item = ask('textDocument/prepareCallHierarchy', at('run('))[1] })
  say('callee ' .. callees[1].to.name)
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', at('twice(out', { newName = 'double_it' })), 'utf-16')
  say('renamed ' .. vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
end)
