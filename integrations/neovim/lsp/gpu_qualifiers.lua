---@brief
---
--- Finds address-space, memory-space and constness mistakes in CUDA C++, HIP and OpenCL C without a compiler.
---
--- `npm install --global` puts the server on the path. It can run beside clangd.
---
--- ```lua
--- vim.filetype.add({ extension = {
---   cl = 'opencl', clh = 'opencl', clcpp = 'opencl', clpp = 'opencl', opencl = 'opencl', ocl = 'opencl',
---   cuh = 'cuda', hip = 'cuda',
--- } })
--- vim.lsp.enable('gpu_qualifiers')
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'gpu-qualifiers-server', '--stdio' },
  filetypes = { 'cuda', 'opencl' },
  root_markers = { 'gpu-qualifiers.json', 'compile_commands.json', '.git' },
}
