-- Models in Neovim 0.7 or newer: what `sheaf model lsp` knows. Source this file in init.lua.
-- The program is found in the path, or where vim.g.sheaf_program says.
local client

vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, {
  pattern = "*.sheaf",
  callback = function(event)
    vim.bo[event.buf].filetype = "sheaf"
    vim.bo[event.buf].commentstring = "// %s"
    if client == nil or vim.lsp.client_is_stopped(client) then
      client = vim.lsp.start_client({
        name = "sheaf",
        cmd = { vim.g.sheaf_program or "sheaf", "model", "lsp" },
        root_dir = vim.fn.getcwd(),
      })
    end
    vim.lsp.buf_attach_client(event.buf, client)
  end,
})
