-- One session of a headless Neovim, which ends with the process: starts the server for the open buffer, calls `work` with the client's
-- id, and says `done` or why it failed. Environment: NODE, SERVER.
return function(language, work)
  vim.cmd('filetype on')
  local say = function(text) io.stdout:write(text .. '\n') end
  local session = function()
    local id = vim.lsp.start_client({
      name = 'gpu-qualifiers',
      cmd = { os.getenv('NODE'), os.getenv('SERVER') },
      root_dir = vim.fn.getcwd(),
      get_language_id = function() return language end,
    })
    vim.lsp.buf_attach_client(0, id)
    work(id, say)
    vim.lsp.stop_client(id)
  end
  vim.api.nvim_create_autocmd('VimEnter', {
    callback = function()
      vim.schedule(function()
        local ok, message = pcall(session)
        say(ok and 'done' or ('failed: ' .. tostring(message)))
        vim.cmd(ok and 'qa!' or 'cq!')
      end)
    end,
  })
end
