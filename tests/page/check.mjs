// The chat page in a real browser: `node check.mjs PROGRAM`, with the path of a built `mostrador`. CHROMIUM names the browser.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

import { startModel } from "./model.mjs";
import { startOtherOrigin, startProxy } from "./proxy.mjs";
import { TITLE, startShop } from "./shop.mjs";

const [program] = process.argv.slice(2);
assert(program, "node check.mjs PROGRAM");
// Where pictures of the page are put, if anywhere.
const pictures = process.env.PICTURES;
const started = Date.now();

const LINES = [
  "- Aquí está «El mapa», de Marta Gil.",
  "- Puedo contarte de qué trata.",
  "- También «La brújula de los vientos interminables».",
  "- ¿Te guardo alguno?",
];

const model = await startModel();
const llm = { LLM_BASE_URL: model.url, LLM_MODEL: "scripted" };
const other = await startOtherOrigin();
const [shop, apart, clothes] = await Promise.all([
  startShop(program, llm),
  startShop(program, { ...llm, STREAM_URL: `${other.url}/` }),
  startShop(program, {}, join(import.meta.dirname, "../../infra/local/demo/clothes")),
]);
other.target = apart.url;
const proxy = await startProxy(shop.url);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const faults = [];

/** A browser of somebody's own, at the counter. */
async function visit(name, { url = proxy.url, ...options } = {}) {
  Object.assign(proxy, { cutsAfter: null, holdsAfter: null, hangsUp: false, answers: null, delayMs: 0, asked: [] });
  Object.assign(model, { lines: LINES, tool: null, everyMs: 0, stallsAfter: Infinity, calls: 0 });
  const context = await browser.newContext({ locale: "es-ES", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("console", (said) => {
    // What a proxy does on purpose is told there too.
    if (said.type() === "error" && !/Failed to load resource|ERR_/.test(said.text())) faults.push(said.text());
  });
  page.on("dialog", () => faults.push("a dialog"));
  await page.addInitScript(() => {
    window.injected = () => { window.wasInjected = true; };
  });
  await page.goto(url);
  if (name) {
    await page.fill("#name", name);
    await page.click("#by-name button");
    await page.waitForSelector("#member:not([hidden])");
    await idle(page);
  }
  return page;
}

const ask = async (page, message) => {
  await page.fill("#message", message);
  await page.press("#message", "Enter");
};
const idle = (page) => page.waitForFunction(() => document.querySelector("#send").offsetParent && !document.querySelector("#status").textContent);
const lines = (page) => page.locator(".entry.assistant").last().locator("li:not(.card)").allTextContents();
const linesAtLeast = (page, count) =>
  page.waitForFunction((count) => [...document.querySelectorAll(".entry.assistant")].at(-1)?.querySelectorAll("li:not(.card)").length >= count, count);
const answer = (page) => page.locator(".entry.assistant").last().innerText();
/** Has the shop's staff say something in a customer's first conversation. */
async function reply(url, name, said) {
  const post = async (path, body, token) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  const { token } = await post("/dev/token", { sub: "eva", role: "staff" });
  const id = Buffer.from(`1:${name}`).toString("base64url");
  await post(`/api/agent/staff/conversations/${id}/`, said, token);
}
const posts = () => proxy.asked.filter(({ line }) => line.startsWith("POST /api/agent/stream"));
const resumptions = () => proxy.asked.filter(({ line }) => line.startsWith("GET /api/agent/stream/"));

async function untouched(page) {
  const { images, injected } = await page.evaluate(() => ({ images: document.images.length, injected: window.wasInjected }));
  assert.deepEqual({ images, injected }, { images: 0, injected: undefined }, "text stays text");
}

async function picture(page, name) {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const checks = {
  async "lines appear as they come, then books with their buttons"() {
    const page = await visit("ana");
    model.everyMs = 400;
    const times = [];
    await ask(page, "un mar");
    assert.equal(await page.locator("#stop").isVisible(), true);
    await page.waitForFunction(() => /Buscando en el catálogo…/.test(document.querySelector("#status").textContent));
    for (let count = 1; count < 4; count += 1) {
      await linesAtLeast(page, count);
      assert.equal(await page.locator(".card").count(), 0, "lines come before the books");
      times.push(Date.now());
      if (count === 2) await picture(page, "coming");
    }
    assert(times.at(-1) - times[0] > 200, `one after another: ${times}`);
    await idle(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "message", "the focus stays");
    assert.equal(await page.locator("#log").getAttribute("aria-live"), "polite");
    assert.equal(await page.locator(".card").count(), 3);
    assert.deepEqual(await page.locator(".card", { hasText: TITLE }).locator("button").allTextContents(), ["Añadir al carrito", "Reservar"]);
    assert.equal(await page.locator(".card", { hasText: "El mapa" }).locator("button").count(), 0, "sold out");
    await page.locator(".card", { hasText: TITLE }).getByRole("button", { name: "Añadir al carrito" }).click();
    await page.getByText("1 ejemplar", { exact: true }).waitFor();
    await page.click("#cart");
    await page.getByRole("button", { name: "Hacer el pedido" }).last().waitFor();
    assert.equal(model.calls, 1);
    return page;
  },

  async "a reload in the middle of an answer goes on with it"() {
    const page = await visit("eva");
    model.everyMs = 700;
    await ask(page, "un mar");
    await linesAtLeast(page, 1);
    await page.reload();
    await linesAtLeast(page, 4);
    await idle(page);
    assert.equal(model.calls, 1, "nobody is asked twice");
    assert.equal(await page.locator(".entry.user").count(), 1, "the question is there once");
    assert.equal(await page.locator(".card").count(), 3);
    // Before anything of it is known, by its key.
    model.everyMs = 0;
    proxy.delayMs = 600;
    await ask(page, "otro mar");
    await page.waitForFunction(() => sessionStorage.getItem("mostrador.open"));
    await page.reload();
    proxy.delayMs = 0;
    await page.waitForFunction(() => document.querySelectorAll(".entry.user").length === 2);
    await page.waitForFunction(() => !sessionStorage.getItem("mostrador.open"));
    await idle(page);
    assert.equal(model.calls, 2, "and asked once more");
    assert.equal(await page.locator(".entry.user").count(), 2);
    // What is over is not begun again.
    await page.reload();
    await idle(page);
    assert.equal(model.calls, 2);
    return page;
  },

  async "what looks like HTML stays text"() {
    const page = await visit(null);
    // Whether the guard lets it pass or not.
    model.lines = ["- Mira <img src=x onerror=injected()> el faro.", ...LINES];
    await ask(page, "un mar <img src=x onerror=injected()>");
    await page.waitForSelector(".card");
    await idle(page);
    const shown = await page.locator("#log").innerText();
    assert(shown.includes("un mar <img src=x onerror=injected()>") && shown.includes(TITLE) && shown.includes("Ana <b>Ruiz</b>"), shown);
    await untouched(page);
    return page;
  },

  async "a document is attached, asked about and put away"() {
    const page = await visit("lola");
    await page.setInputFiles("#document", {
      name: "turnos.txt", mimeType: "text/plain", buffer: Buffer.from("El farero <b>Pedro</b> enciende la lámpara a las nueve."),
    });
    await page.getByText("Ya he leído «turnos.txt»: puedes preguntarme por él.").waitFor();
    await idle(page);
    await ask(page, "¿quién enciende la lámpara?");
    await page.locator("blockquote").waitFor();
    await idle(page);
    assert.match(await page.locator("blockquote").innerText(), /El farero <b>Pedro<\/b> enciende[^]*turnos\.txt$/);
    await picture(page, "document");
    // It is still there for whoever comes back, until it is taken away.
    await page.reload();
    await page.getByText("Seguimos donde lo dejaste.").waitFor();
    await idle(page);
    await page.getByRole("button", { name: "Quitar turnos.txt" }).click();
    await page.waitForFunction(() => !document.querySelector("#brought button"));
    await idle(page);
    await ask(page, "un mar");
    await page.waitForFunction(() => document.querySelectorAll(".entry.assistant").length === 2);
    await idle(page);
    assert.equal(await page.locator("blockquote").count(), 0);
    // One that holds no text is said to.
    await page.setInputFiles("#document", { name: "nada.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4 nada") });
    await page.getByText("No encuentro texto que leer en «nada.pdf»").waitFor();
    await idle(page);
    assert.equal(await page.locator("#brought button").count(), 0);
    return page;
  },

  async "what a model proposes is decided once, here or elsewhere"() {
    const page = await visit("nuria");
    model.tool = { name: "reserve_book", input: { book_id: 2, cantidad: 1 } };
    const buttons = () => page.locator(".decision button").count();
    for (const [word, outcome] of [["No, gracias", /De acuerdo, lo dejo/], ["Sí, hazlo", /te guardo/]]) {
      await ask(page, "un mar");
      await page.getByText("¿Te reservo").last().waitFor();
      await idle(page);
      await picture(page, "proposal");
      await page.locator(".decision").getByRole("button", { name: word, exact: true }).click();
      await page.getByText(outcome).last().waitFor();
      await idle(page);
      assert.equal(await buttons(), 0, "it is asked once");
    }
    // Approved elsewhere while this page was cut off.
    model.everyMs = 300;
    Object.assign(proxy, { cutsAfter: "event: tool_result", hangsUp: true });
    await ask(page, "un mar");
    await page.waitForFunction(() => /recupero/.test(document.querySelector("#status").textContent));
    const [token, turn] = await page.evaluate(() => [window.eval("token"), window.eval("turn.id")]);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const told = await (await fetch(`${shop.url}/api/agent/stream/${turn}`, { headers })).text();
    const [, approval] = /event: approval_requested[^]*?"approval":"([^"]+)"/.exec(told);
    const body = JSON.stringify({ action: "approve", payload: { approval } });
    const approved = await fetch(`${shop.url}/api/agent/actions/`, { method: "POST", headers, body });
    assert.equal(approved.status, 200);
    const { message } = await approved.json();
    Object.assign(proxy, { cutsAfter: null, hangsUp: false });
    await page.waitForFunction((count) => document.querySelectorAll(".entry.assistant").length === count, 6);
    await idle(page);
    assert((await answer(page)).includes(message), message);
    assert.equal(await buttons(), 0, "there is nothing left to decide");
    return page;
  },

  async "a person of the shop answers, and hands back"() {
    const page = await visit("gala", { url: clothes.url });
    const person = page.locator("#person");
    await ask(page, "quiero hablar con una persona");
    await page.getByText("Te contesta una persona de la tienda.").waitFor();
    await idle(page);
    await reply(clothes.url, "gala", { message: "Hola, soy Eva." });
    await page.locator(".entry.person", { hasText: "Hola, soy Eva." }).waitFor();
    const answers = await page.locator(".entry.assistant").count();
    await ask(page, "no llega mi pedido");
    await page.locator(".entry.user", { hasText: "no llega mi pedido" }).waitFor();
    await idle(page);
    assert.equal(await page.locator(".entry.assistant").count(), answers, "the assistant says nothing");
    await picture(page, "person");
    await page.reload();
    await page.locator(".entry.person", { hasText: "Hola, soy Eva." }).waitFor();
    assert.equal(await person.isVisible(), true, "and is still with a person");
    await reply(clothes.url, "gala", { message: "Sale hoy.", hand_back: true });
    await page.locator(".entry.person", { hasText: "Sale hoy." }).waitFor();
    await page.getByText("Vuelve a contestarte el asistente.").waitFor();
    assert.equal(await page.locator(".entry.person").count(), 2, "each is told once");
    assert.equal(await person.isVisible(), false);
    // Nobody has to wait.
    await ask(page, "quiero hablar con una persona");
    await person.waitFor();
    await idle(page);
    await page.click("#back");
    await page.getByText("Aquí estoy otra vez.").waitFor();
    await idle(page);
    assert.equal(await person.isVisible(), false);
    return page;
  },

  async "a customer stops an answer"() {
    const page = await visit("berta");
    Object.assign(model, { everyMs: 100, stallsAfter: 2 });
    await ask(page, "un mar");
    await linesAtLeast(page, 1);
    await page.click("#stop");
    await page.getByText("Has parado la respuesta.").waitFor();
    await idle(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "message");
    assert.equal(proxy.asked.filter(({ line }) => line.startsWith("DELETE")).length, 1);
    // The conversation is free at once.
    model.stallsAfter = Infinity;
    await ask(page, "una isla");
    await page.waitForSelector(".card");
    await idle(page);
    assert.equal(posts().length, 2, "nobody had to wait");
    await page.reload();
    await page.getByText("Seguimos donde lo dejaste.").waitFor();
    assert.equal(await page.locator(".entry.assistant").count(), 1, "what was stopped was not answered");
    return page;
  },

  async "a customer stops before anything has come"() {
    const page = await visit("carla");
    model.stallsAfter = 0;
    proxy.delayMs = 500;
    await ask(page, "un mar");
    // The turn has no number yet that it could be stopped by.
    await page.click("#stop");
    await page.getByText("Has parado la respuesta.").waitFor();
    await idle(page);
    assert.deepEqual(proxy.asked.slice(-2).map(({ line }) => line.split(" ")[0]), ["POST", "DELETE"]);
    proxy.delayMs = 0;
    model.stallsAfter = Infinity;
    await ask(page, "una isla");
    await page.waitForSelector(".card");
    return page;
  },

  async "a guest stops an answer"() {
    const page = await visit(null);
    Object.assign(model, { everyMs: 100, stallsAfter: 2 });
    await ask(page, "un mar");
    await linesAtLeast(page, 2);
    await page.click("#stop");
    await page.getByText("Has parado la respuesta.").waitFor();
    await idle(page);
    assert.equal((await lines(page)).length, 2, "what had come stays");
    assert.equal(proxy.asked.filter(({ line }) => line.startsWith("DELETE")).length, 0);
    return page;
  },

  async "an answer that is cut off is had whole, and asked once"() {
    const uncut = await visit("diana");
    await ask(uncut, "un mar");
    await uncut.waitForSelector(".card");
    await idle(uncut);
    const expected = await answer(uncut);
    await uncut.context().close();
    // In mid-answer, after its last line, and before its end.
    for (const [place, cutsAfter] of ["event: message_chunk", "guardo alguno", "event: message\n"].entries()) {
      const page = await visit(`diana-${place}`);
      Object.assign(model, { everyMs: 200 });
      proxy.cutsAfter = cutsAfter;
      await ask(page, "un mar");
      await page.waitForSelector(".card");
      await idle(page);
      assert.equal(await answer(page), expected, cutsAfter);
      assert.deepEqual([model.calls, posts().length], [1, 1], cutsAfter);
      if (place === 0) assert.equal(resumptions().length, 1);
      await page.context().close();
    }
    // Before its first event: the same question by the same key.
    const page = await visit("diana-9");
    Object.assign(model, { everyMs: 200 });
    proxy.cutsAfter = "HTTP/1.1 200";
    await ask(page, "un mar");
    await page.waitForFunction(() => /recupero|Buscando/.test(document.querySelector("#status").textContent));
    proxy.cutsAfter = null;
    await page.waitForSelector(".card");
    await idle(page);
    assert.deepEqual([await answer(page), model.calls], [expected, 1]);
    return page;
  },

  async "where it cannot be resumed, it is offered again by the same key"() {
    const page = await visit("elena");
    Object.assign(model, { everyMs: 200 });
    Object.assign(proxy, { cutsAfter: "event: message_chunk", hangsUp: true });
    await ask(page, "un mar");
    await page.getByText("La respuesta se cortó antes de terminar.").waitFor();
    await idle(page);
    // A browser may try an idempotent request once more by itself.
    assert(resumptions().length >= 3, `${resumptions().length} resumptions`);
    await picture(page, "cut-off");
    proxy.cutsAfter = null;
    await page.getByRole("button", { name: "Reintentar" }).click();
    await page.waitForSelector(".card");
    await idle(page);
    assert.equal((await lines(page)).length, LINES.length);
    const keys = posts().map(({ key }) => key);
    assert(keys.length === 2 && keys[0] && keys[0] === keys[1], `${keys}`);
    assert.equal(model.calls, 1);
    return page;
  },

  async "a guest's answer that is cut off stays, and can be asked again"() {
    const page = await visit(null);
    Object.assign(model, { everyMs: 200 });
    proxy.cutsAfter = "event: message_chunk";
    await ask(page, "un mar");
    await page.getByText("La respuesta se cortó antes de terminar.").waitFor();
    await idle(page);
    assert((await lines(page)).length >= 1);
    proxy.cutsAfter = null;
    await page.getByRole("button", { name: "Reintentar" }).click();
    await page.waitForSelector(".card");
    await idle(page);
    assert.equal(await page.locator(".entry.assistant").count(), 1);
    assert.deepEqual(posts().map(({ key }) => key), [undefined, undefined]);
    return page;
  },

  async "a connection that falls silent is given up and resumed"() {
    const page = await visit("fabiola");
    await page.clock.install();
    proxy.holdsAfter = "event: message_chunk";
    await ask(page, "un mar");
    await linesAtLeast(page, 1);
    await page.clock.fastForward(45_000);
    await page.waitForFunction(() => /recupero/.test(document.querySelector("#status").textContent));
    await page.clock.fastForward(1_000);
    await page.waitForSelector(".card");
    assert.equal((await lines(page)).length, LINES.length);
    assert.deepEqual([model.calls, posts().length, resumptions().length], [1, 1, 1]);
    return page;
  },

  async "events are read however they are written and cut"() {
    const page = await visit(null);
    const read = await page.evaluate(async () => {
      const text = '\ufeff: hello\r\nid: 1\r\nevent: a\r\ndata: {"n":1,\r\ndata:"t":"mañana 📚"}\r\n\r\n:\r\rdata:  {"n":2}\r\rretry: 9\n\ndata: {"n":3}\n\ndata: {"n":4}\n';
      const bytes = new TextEncoder().encode(text);
      const cuts = [...bytes.keys()].map((at) => [bytes.slice(0, at), bytes.slice(at)]);
      const seen = new Set();
      for (const chunks of [...cuts, [...bytes].map((byte) => Uint8Array.of(byte))]) {
        const body = new ReadableStream({ start(to) { chunks.forEach((chunk) => to.enqueue(chunk)); to.close(); } });
        const events = [];
        for await (const event of eventsOf(body, () => {})) events.push(event);
        seen.add(JSON.stringify(events));
      }
      return [...seen];
    });
    assert.deepEqual(read, ['[{"n":1,"t":"mañana 📚"},{"n":2},{"n":3}]']);
    return page;
  },

  async "without a stream, answers come whole"() {
    for (const [name, answers] of [["flor", "404 Not Found"], [null, "403 Forbidden"]]) {
      const page = await visit(name);
      proxy.answers = answers;
      for (const message of ["un mar", "una isla"]) {
        await ask(page, message);
        await page.waitForFunction((count) => document.querySelectorAll(".cards").length === count, message === "un mar" ? 1 : 2);
        await idle(page);
      }
      assert.equal(posts().length, 1, "it is tried once");
      await page.context().close();
    }
    const page = await visit("gema", { url: apart.url });
    other.isDown = true;
    await ask(page, "un mar");
    await page.waitForSelector(".card");
    other.isDown = false;
    await ask(page, "una isla");
    await page.waitForFunction(() => document.querySelectorAll(".cards").length === 2);
    assert.deepEqual(other.methods.splice(0), [], "and not again");
    return page;
  },

  async "the stream may have an origin of its own"() {
    const page = await visit("hilda", { url: apart.url });
    await ask(page, "un mar");
    await page.waitForSelector(".card");
    await idle(page);
    Object.assign(model, { everyMs: 100, stallsAfter: 1 });
    await ask(page, "una isla");
    await linesAtLeast(page, 1);
    await page.click("#stop");
    await page.getByText("Has parado la respuesta.").waitFor();
    assert.deepEqual(other.methods, ["POST", "POST", "DELETE"]);
    return page;
  },

  async "a shop of clothes has its own name, words and cards"() {
    const page = await visit(null, { url: clothes.url });
    assert.equal(await page.title(), "Hilo y Percha");
    assert.equal(await page.locator("h1").innerText(), "Hilo y Percha");
    assert.equal(await page.locator("#message").getAttribute("placeholder"), "¿Qué prenda buscas?");
    await page.getByRole("button", { name: "Un vestido para una boda de día" }).click();
    await page.waitForSelector(".card");
    await idle(page);
    assert.equal(await page.locator(".entry.user").count(), 1, "a starter that is chosen is sent");
    assert.equal(await page.locator(".entry.assistant .unseen").first().textContent(), "Inés: ");
    await ask(page, "camisa de lino blanca");
    await page.waitForFunction(() => document.querySelectorAll(".cards").length === 2);
    await idle(page);
    const card = page.locator(".card", { hasText: "Camisa de lino blanca" }).last();
    const text = await card.innerText();
    assert.match(text, /Hilo|lino/);
    assert.match(text, /39,90\s€/);
    assert.doesNotMatch(await page.locator("body").innerText(), /undefined|\[object|libro|ejemplar/);
    assert.equal(await page.getByText("Te responde un asistente automático", { exact: false }).count(), 1, "it comes once");
    await picture(page, "clothes");
    return page;
  },

  async "a visitor from Portugal is answered in Portuguese"() {
    const page = await visit("joana", { locale: "pt-PT" });
    assert.equal(await page.locator("html").getAttribute("lang"), "pt");
    assert.equal(await page.locator("#message").getAttribute("placeholder"), "Que livro procura?");
    model.lines = [];
    await ask(page, "mar");
    await page.waitForSelector(".card");
    await idle(page);
    assert.match(await answer(page), /Encontrei/);
    assert.equal(await page.getByText("Quem responde é um assistente automático", { exact: false }).count(), 1);
    await page.locator(".card", { hasText: TITLE }).getByRole("button", { name: /carrinho/ }).click();
    await page.getByText("1 exemplar", { exact: true }).waitFor();
    await ask(page, "mar");
    await page.waitForFunction(() => document.querySelectorAll(".entry.assistant").length === 3);
    await idle(page);
    assert.equal(await page.getByText("Quem responde é um assistente automático", { exact: false }).count(), 1, "it comes once");
    return page;
  },

  async "everything fits a small screen, light and dark, in English too"() {
    let page;
    for (const [colorScheme, locale, width] of [["light", "es-ES", 320], ["dark", "en-GB", 320], ["light", "en-GB", 1280], ["dark", "es-ES", 1280]]) {
      page = await visit(`ines-${colorScheme}-${width}`, { colorScheme, locale, viewport: { width, height: 640 } });
      await ask(page, "un mar");
      await page.waitForSelector(".card");
      await idle(page);
      await picture(page, `${colorScheme}-${width}`);
      model.stallsAfter = 1;
      await ask(page, "una isla");
      await linesAtLeast(page, 1);
      const overflow = () => page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth + Math.max(0, log.scrollWidth - log.clientWidth));
      assert.equal(await overflow(), 0, "no horizontal scroll");
      await picture(page, `${colorScheme}-${width}-coming`);
      const words = locale === "en-GB" ? ["Stop", "You stopped the answer."] : ["Parar", "Has parado la respuesta."];
      await page.getByRole("button", { name: words[0], exact: true }).click();
      await page.getByText(words[1]).waitFor();
      if (width === 320) await page.context().close();
    }
    return page;
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  try {
    const page = await check();
    await untouched(page);
    assert.deepEqual(faults.splice(0), [], "nothing goes wrong unseen");
  } catch (error) {
    failed += 1;
    console.error(`FAILED ${name}: ${error.stack}`);
    for (const context of browser.contexts()) {
      for (const page of context.pages()) console.error(await page.locator("body").innerText().catch(() => ""));
    }
    faults.length = 0;
  }
  await Promise.all(browser.contexts().map((context) => context.close()));
}

await browser.close();
await Promise.all([shop.close(), apart.close(), clothes.close()]);
for (const peer of [model, proxy, other]) peer.close();
const seconds = ((Date.now() - started) / 1000).toFixed(0);
console.log(`page: ${Object.keys(checks).length} checks in a browser, ${failed} failed, ${seconds} s`);
process.exit(failed ? 1 : 0);
