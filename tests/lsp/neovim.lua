-- A session of Neovim's own client, with version 0.7 or newer; tests/lsp/run runs it.
local program = os.getenv("SHEAF_TESTS_PROGRAM")
local file = os.getenv("SHEAF_TESTS_FILE")

local function fail(message)
  io.stderr:write("neovim: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function expect(is_so, message)
  if not is_so then fail(message) end
end

local function session()
  vim.g.sheaf_program = program
  vim.cmd("luafile ../../editors/sheaf.lua")
  vim.cmd("edit " .. file)
  local buffer = vim.api.nvim_get_current_buf()
  local id, client
  expect(vim.wait(5000, function()
    id = id or next(vim.lsp.buf_get_clients(buffer))
    client = id and vim.lsp.get_client_by_id(id)
    return client ~= nil and client.initialized == true
  end), "the server does not initialize")

  local function diagnostics(count)
    expect(vim.wait(5000, function() return #vim.diagnostic.get(buffer) == count end),
      "expected " .. count .. " diagnostics, found " .. #vim.diagnostic.get(buffer))
    return vim.diagnostic.get(buffer)
  end

  local function line_of(text)
    for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
      local at = line:find(text, 1, true)
      if at then return i, at - 1 end
    end
    fail("no " .. text)
  end

  local function ask(method, extra)
    local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, client.offset_encoding), extra or {})
    local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 5000)
    expect(answers ~= nil, method .. ": " .. tostring(problem))
    return answers[id].result
  end

  -- A mistake is shown while it is there.
  local line, column = line_of("t: Ticket)")
  vim.api.nvim_buf_set_text(buffer, line - 1, column, line - 1, column + 9, { "t: Tickt" })
  local wrong = diagnostics(1)[1]
  expect(wrong.code == "unknown-entity" or wrong.user_data.lsp.code == "unknown-entity", "another mistake: " .. wrong.message)
  expect(wrong.lnum == line - 1, "in another line")
  vim.api.nvim_buf_set_text(buffer, line - 1, column, line - 1, column + 8, { "t: Ticket" })
  diagnostics(0)

  -- Hover, definition, completion, rename and formatting by the editor's own commands.
  line, column = line_of("orgAndUsers(o")
  vim.api.nvim_win_set_cursor(0, { line, column })
  expect(ask("textDocument/hover").contents.value:find("1 request", 1, true), "hover tells no cost")

  line, column = line_of("<owner.name>")
  vim.api.nvim_win_set_cursor(0, { line, column + 2 })
  vim.lsp.buf.definition()
  local there = line_of("/ owner")
  expect(vim.wait(5000, function() return vim.api.nvim_win_get_cursor(0)[1] == there end), "definition does not jump")

  vim.lsp.buf.rename("holder")
  expect(vim.wait(5000, function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)):find("<holder.name>", 1, true) ~= nil
  end), "rename does not reach the keys")
  diagnostics(0)

  line, column = line_of("$u {")
  vim.api.nvim_buf_set_text(buffer, line - 1, column, line - 1, column + 3, { "$u.  " })
  vim.api.nvim_win_set_cursor(0, { line, column + 3 })
  local found = {}
  for _, item in ipairs(ask("textDocument/completion").items) do found[item.label] = true end
  expect(found.tickets and found.org, "completion offers no ends")
  vim.api.nvim_buf_set_text(buffer, line - 1, column, line - 1, column + 5, { "$u " })

  local function lay_out()
    if vim.lsp.buf.format then vim.lsp.buf.format({ bufnr = buffer }) else vim.lsp.buf.formatting_sync(nil, 5000) end
    return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  end
  local laid_out = lay_out()
  line, column = line_of("entity Org")
  vim.api.nvim_buf_set_text(buffer, line - 1, column, line - 1, column + 7, { "entity    " })
  expect(vim.deep_equal(lay_out(), laid_out), "it is not laid out")
  vim.cmd("silent write!")
  vim.lsp.stop_client(id)
  expect(vim.wait(5000, function() return vim.lsp.client_is_stopped(id) end), "the server does not stop")
end

local is_fine, problem = pcall(session)
if not is_fine then fail(tostring(problem)) end
io.stdout:write("neovim: passed\n")
vim.cmd("quit!")
