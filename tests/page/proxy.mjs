// What stands between a browser and the product.

import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { connect, createServer } from "node:net";

const STREAM = /^(POST|GET|DELETE) \/api\/agent\/stream/;

/**
 * Hands bytes on, and mistreats those of streams: cuts them, or hands nothing on any more, once it has seen what `cutsAfter` or
 * `holdsAfter` says; hangs up on those who come for the rest; answers in the product's place; hands questions on late.
 */
export async function startProxy(target) {
  const proxy = { cutsAfter: null, holdsAfter: null, hangsUp: false, answers: null, delayMs: 0, asked: [] };
  const { hostname, port } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect(port, hostname);
    let streams = false;
    let isHeld = false;
    let seen = "";
    client.on("data", (bytes) => {
      const head = bytes.toString("latin1");
      const line = /^[A-Z]+ \S+/.exec(head)?.[0];
      if (line) proxy.asked.push({ line, key: /^idempotency-key: (\S+)/im.exec(head)?.[1] });
      const [, method] = STREAM.exec(head) ?? [];
      if (method === "GET" && proxy.hangsUp) return client.destroy();
      if (method === "POST" && proxy.answers) {
        return client.end(`HTTP/1.1 ${proxy.answers}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`);
      }
      if (method) [streams, seen] = [method === "POST", ""];
      if (method === "POST" && proxy.delayMs) setTimeout(() => upstream.write(bytes), proxy.delayMs);
      else upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isHeld) return;
      client.write(bytes);
      if (!streams) return;
      seen += bytes.toString("latin1");
      isHeld = Boolean(proxy.holdsAfter) && seen.includes(proxy.holdsAfter);
      if (!proxy.cutsAfter || !seen.includes(proxy.cutsAfter)) return;
      // Once what is before it has got there.
      setTimeout(() => [client, upstream].forEach((socket) => socket.destroy()), 50);
    });
    for (const [one, other] of [[client, upstream], [upstream, client]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  proxy.close = () => server.close();
  return proxy;
}

/** Another origin in front of the stream, with the cross-origin rules that a function URL would be given. */
export async function startOtherOrigin() {
  const origin = { target: null, isDown: false, methods: [] };
  const server = createHttpServer((request, response) => {
    if (origin.isDown) return request.destroy();
    response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
    response.setHeader("access-control-expose-headers", "retry-after");
    if (request.method === "OPTIONS") {
      response.setHeader("access-control-allow-methods", "GET, POST, DELETE");
      response.setHeader("access-control-allow-headers", "authorization, content-type, idempotency-key");
      return response.writeHead(204).end();
    }
    origin.methods.push(request.method);
    const { method, url, headers } = request;
    const onwards = httpRequest(new URL(url, origin.target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onwards.on("error", () => response.destroy());
    request.pipe(onwards);
  });
  await new Promise((ready) => server.listen(0, "localhost", ready));
  origin.url = `http://localhost:${server.address().port}`;
  origin.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return origin;
}
