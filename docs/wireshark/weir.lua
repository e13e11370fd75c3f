-- Weir dissector for Wireshark and tshark.
--   tshark -X lua_script:weir.lua -r capture.pcap -O weir
-- It finds Weir in any UDP datagram whose first byte is version 1 with a known type and whose length fits the type. To fix a
-- port instead: Decode As... > UDP port > WEIR.

local weir = Proto("weir", "Weir transport")

local types = {
  [1] = "CREDIT", [2] = "DATA", [3] = "ACK", [4] = "REQUEST", [5] = "STOP",
  [6] = "OPEN", [7] = "CHALLENGE", [8] = "ACCEPT", [9] = "RESET",
}
local length_min = { [1] = 18, [2] = 48, [3] = 60, [4] = 22, [5] = 18, [6] = 48, [7] = 27, [8] = 48, [9] = 15 }
local protocols = {
  [1] = "expresspass", [2] = "dx", [3] = "tfc", [4] = "ccrp", [5] = "newreno", [6] = "cubic", [7] = "vegas", [8] = "dctcp",
  [9] = "hull", [10] = "dcqcn", [11] = "timely", [12] = "rcp", [13] = "ideal",
}
local reasons = { [1] = "refused", [2] = "aborted", [3] = "no common protocol", [4] = "timed out", [5] = "busy",
  [6] = "unknown connection", [7] = "ended" }
local VERSION = 1
local HEADER_BYTES = 14

local f = {
  version = ProtoField.uint8("weir.version", "Version", base.DEC, nil, 0xF0),
  type = ProtoField.uint8("weir.type", "Type", base.DEC, types, 0x0F),
  flags = ProtoField.uint8("weir.flags", "Flags", base.HEX),
  standing = ProtoField.bool("weir.credit.standing", "Standing", 8, nil, 0x01),
  fin = ProtoField.bool("weir.data.fin", "End of the stream", 8, nil, 0x01),
  grants = ProtoField.bool("weir.data.grants", "Brings a standing credit", 8, nil, 0x02),
  granted = ProtoField.uint32("weir.data.granted", "Standing credit"),
  times = ProtoField.bool("weir.ack.times", "Time stamps are new", 8, nil, 0x01),
  has_cookie = ProtoField.bool("weir.open.has_cookie", "Returns a cookie", 8, nil, 0x01),
  has_token = ProtoField.bool("weir.open.has_token", "Holds a token", 8, nil, 0x02),
  asks = ProtoField.bool("weir.asks", "Asks for credits", 8, nil, 0x04),
  data_confirms = ProtoField.bool("weir.accept.data_confirms", "Data confirms the connection", 8, nil, 0x10),
  grants_first = ProtoField.bool("weir.accept.grants", "Grants credit 1, a standing one", 8, nil, 0x20),
  request_repeated = ProtoField.bool("weir.request.repeated", "Repeats a request", 8, nil, 0x02),
  credits_answer = ProtoField.bool("weir.request.credits_answer", "Credits are answer enough", 8, nil, 0x01),
  credited_singly = ProtoField.bool("weir.data.credited_singly", "Credits must grant one frame each", 8, nil, 0x20),
  wait = ProtoField.uint8("weir.accept.wait", "Wait for the first credit's turn"),
  round_trip = ProtoField.uint32("weir.open.round_trip", "Round trip measured, ns; 0 if none"),
  tag = ProtoField.uint64("weir.tag", "Tag", base.HEX),
  packet_number = ProtoField.uint32("weir.packet_number", "Packet number"),
  crc = ProtoField.uint32("weir.crc32c", "CRC32C", base.HEX),
  credit_sequence = ProtoField.uint32("weir.credit_sequence", "Credit sequence, or round trip"),
  credit_frames = ProtoField.uint8("weir.credit.frames", "Frames granted, less one", base.DEC, nil, 0xFC),
  credit_frames_max = ProtoField.uint8("weir.credit_frames_max", "Frames that a credit may grant, less one"),
  pauses = ProtoField.uint8("weir.pauses", "Pauses of the frame's sender"),
  carries_ack = ProtoField.bool("weir.data.carries_ack", "An acknowledgement stands before the payload", 8, nil, 0x08),
  carries_credit = ProtoField.bool("weir.data.carries_credit", "A credit stands before the payload", 8, nil, 0x10),
  ridden_credit = ProtoField.uint32("weir.data.credit", "Credit, first number"),
  ridden_frames = ProtoField.uint8("weir.data.credit_frames", "Frames granted, less one"),
  takes_riders = ProtoField.bool("weir.takes_riders", "Takes acknowledgements and credits on data", 8, nil, 0x08),
  surplus = ProtoField.bool("weir.data.surplus", "Credits came faster than they were used", 8, nil, 0x04),
  ack_low = ProtoField.uint32("weir.credit.ack", "Acknowledged offset, low 32 bits"),
  padding = ProtoField.bytes("weir.padding", "Padding"),
  wasted = ProtoField.uint16("weir.data.wasted", "Credits wasted, low 16 bits"),
  offset = ProtoField.uint64("weir.data.offset", "Stream offset"),
  length = ProtoField.uint16("weir.data.length", "Payload bytes"),
  backlog = ProtoField.uint32("weir.backlog", "Backlog bytes"),
  t1 = ProtoField.uint32("weir.t1", "t1"),
  t2 = ProtoField.uint32("weir.t2", "t2"),
  t3 = ProtoField.uint32("weir.t3", "t3"),
  window = ProtoField.uint32("weir.window", "Window granted by switches", base.DEC),
  rate = ProtoField.uint32("weir.rate", "Rate granted by switches, kbit/s", base.DEC),
  marks = ProtoField.uint8("weir.marks", "Marks", base.HEX),
  round = ProtoField.bool("weir.marks.round", "Round mark (TFC)", 8, nil, 0x01),
  round_ack = ProtoField.bool("weir.marks.round_ack", "Acknowledges a round mark (TFC)", 8, nil, 0x02),
  has_rate = ProtoField.bool("weir.marks.rate", "The window is a rate (RCP)", 8, nil, 0x04),
  congestion = ProtoField.bool("weir.marks.congestion", "Congestion notification (DCQCN)", 8, nil, 0x08),
  held = ProtoField.bool("weir.marks.held", "A switch held the acknowledgement (TFC)", 8, nil, 0x10),
  payload = ProtoField.bytes("weir.data.payload", "Payload"),
  ack_offset = ProtoField.uint64("weir.ack.offset", "Acknowledged offset"),
  receive_window = ProtoField.uint32("weir.receive_window", "Receive window"),
  largest = ProtoField.uint32("weir.ack.largest", "Largest packet number"),
  ce_frames = ProtoField.uint32("weir.ack.ce_frames", "Frames marked CE"),
  frames = ProtoField.uint16("weir.ack.frames", "Frames since the ack before"),
  range_count = ProtoField.uint8("weir.ack.range_count", "Ranges"),
  range = ProtoField.string("weir.ack.range", "Range"),
  highest_credit = ProtoField.uint32("weir.highest_credit", "Highest credit received"),
  protocol = ProtoField.uint8("weir.protocol", "Protocol", base.DEC, protocols),
  protocol_bits = ProtoField.uint16("weir.open.protocols", "Protocols spoken", base.HEX),
  mtu = ProtoField.uint16("weir.mtu", "MTU"),
  issued = ProtoField.uint32("weir.cookie.issued", "Issued, seconds"),
  hash = ProtoField.uint64("weir.cookie.hash", "Keyed hash", base.HEX),
  responder_tag = ProtoField.uint64("weir.accept.tag", "Responder tag", base.HEX),
  reason = ProtoField.uint8("weir.reset.reason", "Reason", base.DEC, reasons),
}
weir.fields = f

local function cookie(tree, buffer, at, name)
  local sub = tree:add(weir, buffer(at, 12), name)
  sub:add(f.issued, buffer(at, 4))
  sub:add(f.hash, buffer(at + 4, 8))
end

-- Window and marks: what switches and protocols say besides. Returns what the info column shows of it.
local function signals(tree, window, marks, grants)
  local bits = marks:uint()
  local info = ""
  local is_rate = bits % 8 >= 4
  if not grants then
    local item = tree:add(is_rate and f.rate or f.window, window)
    if window:uint() ~= 0xFFFFFFFF then
      info = string.format(is_rate and " rate=%u" or " granted=%u", window:uint())
    else
      item:append_text(" (not set)")
      info = is_rate and " rate=none" or ""
    end
  end
  local sub = tree:add(f.marks, marks)
  sub:add(f.round, marks)
  sub:add(f.round_ack, marks)
  sub:add(f.has_rate, marks)
  sub:add(f.congestion, marks)
  sub:add(f.held, marks)
  if bits % 2 >= 1 then info = info .. " RM" end
  if bits % 4 >= 2 then info = info .. " RMA" end
  if bits % 16 >= 8 then info = info .. " CNP" end
  if bits % 32 >= 16 then info = info .. " HELD" end
  return info
end

-- Codes 0 to 15 are microseconds; larger ones have 3 bits behind their leading one and an exponent.
local function pauses(tree, buffer)
  local code = buffer:uint()
  local shift = math.max(0, math.floor(code / 8) - 1)
  local nanos = math.min(1e9, (code - 8 * shift) * 2 ^ shift * 1000)
  tree:add(f.pauses, buffer):append_text(string.format(" (%.0f us)", nanos / 1000))
end

local function credit_frames_max(tree, buffer)
  tree:add(f.credit_frames_max, buffer)
  local frames = math.min(64, buffer:uint() + 1)
  return frames > 1 and string.format(" frames=%d", frames) or ""
end

-- What follows the CRC32C of an acknowledgement. Returns what the info column shows of it, and where it ends.
local function acknowledgement(tree, buffer)
  tree:add(f.ack_offset, buffer(0, 8))
  tree:add(f.receive_window, buffer(8, 4))
  tree:add(f.largest, buffer(12, 4))
  tree:add(f.t1, buffer(16, 4))
  tree:add(f.t2, buffer(20, 4))
  tree:add(f.t3, buffer(24, 4))
  tree:add(f.ce_frames, buffer(28, 4))
  tree:add(f.frames, buffer(32, 2))
  tree:add(f.range_count, buffer(34, 1))
  pauses(tree, buffer(35, 1))
  local signalled = signals(tree, buffer(36, 4), buffer(40, 1), false) .. credit_frames_max(tree, buffer(41, 1))
  local offset = buffer(0, 8):uint64()
  local info = string.format("%s window=%u", tostring(offset), buffer(8, 4):uint())
  local at = 42
  for _ = 1, buffer(34, 1):uint() do
    if at + 8 > buffer:len() then
      break
    end
    local start = offset + buffer(at, 4):uint()
    local range = string.format("[%s,%s)", tostring(start), tostring(start + buffer(at + 4, 4):uint()))
    tree:add(f.range, buffer(at, 8), range)
    info = info .. " " .. range
    at = at + 8
  end
  if buffer(28, 4):uint() ~= 0 then
    info = info .. string.format(" ce=%u", buffer(28, 4):uint())
  end
  return info .. signalled, at
end

local body = {}

body[1] = function(buffer, tree)
  tree:add(f.standing, buffer(1, 1))
  tree:add(f.credit_sequence, buffer(10, 4))
  tree:add(f.ack_low, buffer(14, 4))
  if buffer:len() > 18 then
    tree:add(f.padding, buffer(18))
  end
  local standing = buffer(1, 1):bitfield(7, 1) == 1 and " standing" or ""
  tree:add(f.credit_frames, buffer(1, 1))
  local frames = buffer(1, 1):bitfield(0, 6) + 1
  local count = frames > 1 and string.format(" x%d", frames) or ""
  return string.format("%u%s ack=%u%s", buffer(10, 4):uint(), count, buffer(14, 4):uint(), standing)
end

body[2] = function(buffer, tree)
  local grants = buffer(1, 1):bitfield(6, 1) == 1
  tree:add(f.fin, buffer(1, 1))
  tree:add(f.grants, buffer(1, 1))
  tree:add(f.surplus, buffer(1, 1))
  tree:add(f.carries_ack, buffer(1, 1))
  tree:add(f.carries_credit, buffer(1, 1))
  tree:add(f.credited_singly, buffer(1, 1))
  tree:add(f.crc, buffer(14, 4))
  tree:add(f.credit_sequence, buffer(18, 4))
  tree:add(f.wasted, buffer(22, 2))
  tree:add(f.offset, buffer(24, 8))
  tree:add(f.length, buffer(32, 2))
  tree:add(f.backlog, buffer(34, 4))
  tree:add(f.t1, buffer(38, 4))
  if grants then
    tree:add(f.granted, buffer(42, 4))
  end
  local signalled = signals(tree, buffer(42, 4), buffer(46, 1), grants)
  pauses(tree, buffer(47, 1))
  local riders, at = "", 48
  if buffer(1, 1):bitfield(4, 1) == 1 and buffer:len() >= at + 42 then
    local sub = tree:add(weir, buffer(at), "Acknowledgement")
    local info, bytes = acknowledgement(sub, buffer(at))
    riders = " ack " .. info
    at = at + bytes
    sub:set_len(bytes)
  end
  if buffer(1, 1):bitfield(3, 1) == 1 and buffer:len() >= at + 8 then
    tree:add(f.ridden_credit, buffer(at, 4))
    tree:add(f.ridden_frames, buffer(at + 4, 1))
    riders = riders .. string.format(" credits=%u x%d", buffer(at, 4):uint(), buffer(at + 4, 1):uint() + 1)
    at = at + 8
  end
  if buffer:len() > at then
    tree:add(f.payload, buffer(at))
  end
  local start = buffer(24, 8):uint64()
  local fin = buffer(1, 1):bitfield(7, 1) == 1 and " FIN" or ""
  local surplus = buffer(1, 1):bitfield(5, 1) == 1 and " surplus" or ""
  local singly = buffer(1, 1):bitfield(2, 1) == 1 and " singly" or ""
  local granted = grants and string.format(" grants=%u", buffer(42, 4):uint()) or ""
  return string.format("[%s,%s)%s credit=%u backlog=%u%s", tostring(start), tostring(start + buffer(32, 2):uint()), fin,
    buffer(18, 4):uint(), buffer(34, 4):uint(), surplus .. singly .. granted) .. riders .. signalled
end

body[3] = function(buffer, tree)
  tree:add(f.times, buffer(1, 1))
  tree:add(f.crc, buffer(14, 4))
  local info = acknowledgement(tree, buffer(18))
  return info
end

body[4] = function(buffer, tree)
  tree:add(f.credits_answer, buffer(1, 1))
  tree:add(f.request_repeated, buffer(1, 1))
  tree:add(f.backlog, buffer(14, 4))
  tree:add(f.highest_credit, buffer(18, 4))
  local answer = buffer(1, 1):uint() % 2 == 1 and " no-ack" or ""
  return string.format("backlog=%u credit<=%u", buffer(14, 4):uint(), buffer(18, 4):uint()) .. answer
end

body[5] = function(buffer, tree)
  tree:add(f.highest_credit, buffer(14, 4))
  return string.format("credit<=%u", buffer(14, 4):uint())
end

body[6] = function(buffer, tree)
  tree:add(f.has_cookie, buffer(1, 1))
  tree:add(f.has_token, buffer(1, 1))
  tree:add(f.asks, buffer(1, 1))
  tree:add(f.takes_riders, buffer(1, 1))
  tree:add(f.protocol, buffer(14, 1))
  pauses(tree, buffer(15, 1))
  tree:add(f.protocol_bits, buffer(16, 2))
  tree:add(f.mtu, buffer(18, 2))
  tree:add(f.receive_window, buffer(20, 4))
  tree:add(f.backlog, buffer(24, 4))
  cookie(tree, buffer, 28, "Cookie or token")
  local frames = credit_frames_max(tree, buffer(40, 1))
  tree:add(f.round_trip, buffer(41, 4))
  local flags = buffer(1, 1):uint()
  local info = ""
  if flags % 2 >= 1 then info = info .. "cookie " end
  if flags % 4 >= 2 then info = info .. "token " end
  if flags % 8 >= 4 then info = info .. "request " end
  return info .. string.format("backlog=%u", buffer(24, 4):uint()) .. frames
end

body[7] = function(buffer, tree)
  cookie(tree, buffer, 14, "Cookie")
  pauses(tree, buffer(26, 1))
  return nil
end

body[8] = function(buffer, tree)
  tree:add(f.asks, buffer(1, 1))
  tree:add(f.takes_riders, buffer(1, 1))
  tree:add(f.data_confirms, buffer(1, 1))
  tree:add(f.grants_first, buffer(1, 1))
  tree:add(f.responder_tag, buffer(14, 8))
  tree:add(f.protocol, buffer(22, 1))
  pauses(tree, buffer(23, 1))
  tree:add(f.mtu, buffer(24, 2))
  tree:add(f.receive_window, buffer(26, 4))
  tree:add(f.backlog, buffer(30, 4))
  cookie(tree, buffer, 34, "Token")
  local frames = credit_frames_max(tree, buffer(46, 1))
  tree:add(f.wait, buffer(47, 1))
  return string.format("protocol=%u window=%u backlog=%u", buffer(22, 1):uint(), buffer(26, 4):uint(),
    buffer(30, 4):uint()) .. frames .. (buffer(1, 1):bitfield(3, 1) == 1 and " data-confirms" or "")
    .. (buffer(1, 1):bitfield(2, 1) == 1 and " grants=1" or "")
end

body[9] = function(buffer, tree)
  tree:add(f.reason, buffer(14, 1))
  return "reason=" .. buffer(14, 1):uint()
end

local function is_weir(buffer)
  if buffer:len() < 10 or buffer(0, 1):bitfield(0, 4) ~= VERSION then
    return false
  end
  local kind = buffer(0, 1):bitfield(4, 4)
  return types[kind] ~= nil and buffer:reported_len() >= length_min[kind]
end

function weir.dissector(buffer, pinfo, root)
  if not is_weir(buffer) then
    return 0
  end
  local kind = buffer(0, 1):bitfield(4, 4)
  local tree = root:add(weir, buffer(), "Weir " .. types[kind])
  pinfo.cols.protocol = "Weir"
  tree:add(f.version, buffer(0, 1))
  tree:add(f.type, buffer(0, 1))
  tree:add(f.flags, buffer(1, 1))
  tree:add(f.tag, buffer(2, 8))
  if kind ~= 1 then
    tree:add(f.packet_number, buffer(10, 4))
  end
  local info = types[kind]
  local rest = buffer:len() >= length_min[kind] and body[kind](buffer, tree) or nil
  if rest then
    info = info .. " " .. rest
  end
  pinfo.cols.info = info
  return buffer:len()
end

weir:register_heuristic("udp", function(buffer, pinfo, root)
  if not is_weir(buffer) then
    return false
  end
  weir.dissector(buffer, pinfo, root)
  return true
end)
DissectorTable.get("udp.port"):add_for_decode_as(weir)
