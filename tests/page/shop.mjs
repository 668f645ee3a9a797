// `mostrador serve`, with a catalogue that no shop should have, or the shop of a folder.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const READY_MS = 90_000;

export const TITLE = "El faro <img src=x onerror=injected()>";
const BOOKS = [
  { libro_id: 1, titulo: TITLE, autor: "Ana <b>Ruiz</b>", precio: "12.50", stock: 4, categoria: "Novela", descripcion: "Un farero, un mar y una niebla." },
  { libro_id: 2, titulo: "La brújula de los vientos interminables", autor: "Luis Soto", precio: "9.90", stock: 7, categoria: "Novela", descripcion: "Un barco, un mar y una tormenta." },
  { libro_id: 3, titulo: "El mapa", autor: "Marta Gil", precio: "15.00", stock: 0, categoria: "Novela", descripcion: "Una isla, un mar y un tesoro." },
];

export async function startShop(program, settings, profile) {
  const folder = await mkdtemp(join(tmpdir(), "mostrador-page-"));
  const catalogue = join(folder, "books.jsonl");
  await writeFile(catalogue, BOOKS.map((book) => `${JSON.stringify(book)}\n`).join(""));
  const rates = ["CHAT", "SEARCH", "ACTION", "HISTORY"].map((scope) => [`AGENT_RATE_LIMIT_${scope}`, "100000/min"]);
  const { PATH, HOME } = process.env;
  const child = spawn(program, ["serve", "--ephemeral", "--port", "0", ...(profile ? ["--shop", profile] : ["--catalogue", catalogue])], {
    env: { PATH, HOME, TMPDIR: folder, ...Object.fromEntries(rates), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const url = await new Promise((ready, failed) => {
    const late = setTimeout(() => failed(new Error(`the shop is not ready: ${printed}`)), READY_MS);
    const read = (bytes) => {
      printed += bytes;
      const [, found] = /ready at (http:\/\/\S+) /.exec(printed) ?? [];
      if (!found) return;
      clearTimeout(late);
      ready(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => failed(new Error(`the shop ended (${code}): ${printed}`)));
  });
  const close = async () => {
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url, close };
}
