// A model that says what it is told to, at the pace it is told to, over `POST …/chat/completions`.

import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** Lines come one every `everyMs`; after `stallsAfter` of them nothing comes any more. With a `tool` it calls that instead. */
export async function startModel() {
  const model = { lines: [], tool: null, everyMs: 0, stallsAfter: Infinity, calls: 0 };
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    model.calls += 1;
    const { lines, tool, everyMs, stallsAfter } = model;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta, finish_reason = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
    if (tool) {
      await pause(everyMs);
      send({ tool_calls: [{ index: 0, id: "call-1", type: "function", function: { name: tool.name, arguments: JSON.stringify(tool.input) } }] });
    }
    for (const [place, line] of tool ? [] : lines.entries()) {
      if (place === stallsAfter) return;
      await pause(everyMs);
      // In two parts: what is shown is whole lines all the same.
      send({ content: line.slice(0, 5) });
      send({ content: `${line.slice(5)}\n` });
    }
    send({}, tool ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  model.url = `http://127.0.0.1:${server.address().port}/v1`;
  model.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return model;
}
