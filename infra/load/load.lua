-- What one thread of wrk, with its one connection, does as a customer; and a journal of it: a line before each request, a line
-- after each answer, in nanoseconds of one clock. Two threads are the same customer, and take turns at the same keys.
-- wrk … -s load.lua URL -- JOURNALS TOKENS
local ffi = require("ffi")
ffi.cdef [[
    typedef struct { long seconds; long nanoseconds; } instant;
    int clock_gettime(int clock, instant *now);
]]

local PER_CUSTOMER = 2
-- Few enough that customers want the same copies.
local BOOKS = 40
-- Of the keys whose answers are known, so many are asked again.
local REMEMBERED = 32

local threads = 0

function setup(thread)
    thread:set("number", threads)
    threads = threads + 1
end

local CLOCK_MONOTONIC = 1
local instant = ffi.new("instant")
local function now()
    ffi.C.clock_gettime(CLOCK_MONOTONIC, instant)
    return string.format("%d%09d", tonumber(instant.seconds), tonumber(instant.nanoseconds))
end

local journal, customer, headers
local sent, shared = 0, 0
local answered, reservations = {}, {}
local pending

function init(arguments)
    customer = math.floor(number / PER_CUSTOMER)
    local line = 0
    for token in io.lines(arguments[2]) do
        if line == customer then
            headers = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" }
        end
        line = line + 1
    end
    journal = assert(io.open(arguments[1] .. "/" .. number, "w"))
    journal:setvbuf("line")
    math.randomseed(20260101 + number)
end

local function action(name, payload)
    return { kind = name, path = "/api/agent/actions/", body = '{"action":"' .. name .. '","payload":' .. payload .. "}" }
end

local function question(text)
    return { kind = "question", text = text, path = "/api/agent/", body = '{"message":"' .. text .. '"}' }
end

local function next_call()
    local choice = math.random(100)
    local label = customer .. " " .. number .. " " .. sent
    local book = math.random(BOOKS)
    local call
    if choice <= 40 then
        call = question("pregunta " .. label)
    elseif choice <= 50 then
        shared = shared + 1
        call = question("a la vez " .. customer .. " " .. shared)
        call.key = "shared-" .. shared
        return call
    elseif choice <= 62 and #answered > 0 then
        return answered[math.random(#answered)]
    elseif choice <= 75 then
        local text = "mensaje " .. label
        call = { kind = "message", text = text, path = "/api/agent/history/messages/", body = '{"role":"user","content":"' .. text .. '"}' }
    elseif choice <= 83 then
        call = action("reserve_book", '{"book_id":' .. book .. ',"cantidad":1}')
    elseif choice <= 89 and #reservations > 0 then
        call = action("cancel_reservation", '{"reservation_id":' .. table.remove(reservations) .. "}")
    elseif choice <= 96 then
        call = action("add_to_cart", '{"book_id":' .. book .. ',"cantidad":1}')
    else
        call = action("checkout", "{}")
    end
    call.key = number .. "-" .. sent
    return call
end

function request()
    sent = sent + 1
    pending = next_call()
    journal:write("sent\t", sent, "\t", now(), "\t", customer, "\t", pending.kind, "\t", pending.key, "\t", pending.text or "", "\n")
    headers["Idempotency-Key"] = pending.key
    return wrk.format("POST", pending.path, headers, pending.body)
end

function response(status, _, body)
    local call = pending
    local same = ""
    if status == 200 or status == 201 then
        if call.answer then
            same = call.answer == body and "same" or "another"
        else
            local again = { kind = "again", path = call.path, body = call.body, key = call.key, answer = body }
            answered[math.min(sent % REMEMBERED, #answered) + 1] = again
            if call.kind == "reserve_book" then
                table.insert(reservations, body:match('"reservation_id":(%d+)'))
            end
        end
    end
    local order = call.kind == "checkout" and body:match('"order_id":(%d+)') or ""
    journal:write("told\t", sent, "\t", now(), "\t", status, "\t", same, "\t", order, "\n")
end
