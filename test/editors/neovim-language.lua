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
  local callees = ask('callHierarchy/outgoingCalls', { item = ask('textDocument/prepareCallHierarchy', at('run('))[1] })
  say('callee ' .. callees[1].to.name)
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', at('twice(out', { newName = 'double_it' })), 'utf-16')
  say('renamed ' .. vim.api.nvim_buf_get_lines(0, 1, 2, false)[1])
end)
