// Holds `?dialect=ai-sdk` against the official package: the chat that `useChat` wraps for React, its transport, its parser
// and its validator. `MOSTRADOR_TEST_AI_SDK` is the folder with its node_modules, the argument {url, token}.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.env.MOSTRADOR_TEST_AI_SDK);
const resolved = createRequire(`${folder}/`).resolve('ai');
const { AbstractChat, DefaultChatTransport, readUIMessageStream, safeValidateUIMessages } = await import(pathToFileURL(resolved));

const { url, token } = JSON.parse(process.argv[2]);
const stream = `${url}/api/agent/stream`;
const dialect = 'dialect=ai-sdk';
const signedIn = { authorization: `Bearer ${token}` };
const counted = { runs: 0, chunks: 0, messages: 0, objections: 0 };

/** Counts what the package's own parser and schema let through; what they do not, it throws. */
class Transport extends DefaultChatTransport {
  constructor(options) {
    super({ api: `${stream}?${dialect}`, ...options });
  }

  processResponseStream(body) {
    this.chunks = [];
    const count = (chunk, controller) => {
      this.chunks.push(chunk);
      counted.chunks += 1;
      controller.enqueue(chunk);
    };
    return super.processResponseStream(body).pipeThrough(new TransformStream({ transform: count }));
  }
}

/** As React's chat, with plain variables for a state. */
class Chat extends AbstractChat {
  constructor({ messages = [], ...options }) {
    const state = {
      status: 'ready',
      error: undefined,
      messages,
      pushMessage: message => { state.messages = [...state.messages, message]; },
      popMessage: () => { state.messages = state.messages.slice(0, -1); },
      replaceMessage: (index, message) => { state.messages = state.messages.map((old, place) => (place === index ? message : old)); },
      snapshot: structuredClone,
    };
    super({ onFinish: ending => { this.ending = ending; }, state, ...options });
  }
}

function chat({ body, headers, fetch, messages } = {}) {
  const newest = () => talk.lastMessage.id;
  const transport = new Transport({
    body, headers, fetch,
    prepareReconnectToStreamRequest: () => ({ api: `${stream}/${newest()}?${dialect}`, headers }),
  });
  const talk = new Chat({ transport, messages });
  return Object.assign(talk, { chunks: () => transport.chunks });
}

const kinds = message => message.parts.map(part => part.type);
const part = (message, type) => message.parts.find(part => part.type === type);
const text = message => part(message, 'text').text;
const sleep = ms => new Promise(done => setTimeout(done, ms));
const whole = tool => ['step-start', `tool-${tool}`, 'text', 'data-results', 'data-segments', 'data-actions'];

/** What holds of every chat that has come to its end. */
async function settled(talk, { finish = 'stop' } = {}) {
  counted.runs += 1;
  assert.equal(talk.status, 'ready', String(talk.error));
  const { success, error } = await safeValidateUIMessages({ messages: talk.messages });
  assert(success, String(error));
  counted.messages += 1;
  assert.equal(talk.ending.finishReason ?? null, finish);
  const message = talk.lastMessage;
  assert.equal(message.role, 'assistant');
  assert.match(message.id, /^[0-9a-f-]{36}$/);
  for (const part of message.parts) assert(!['streaming', 'input-streaming', 'input-available'].includes(part.state), JSON.stringify(part));
  // With a conversation's first answer.
  const { notice } = message.metadata;
  assert(notice === undefined || notice.length > 10, notice);
  return message;
}

async function asked(text, options) {
  const talk = chat(options);
  await talk.sendMessage({ text });
  return [talk, await settled(talk)];
}

/** Lets an answer through until `enough` of it has come; then the network is gone. */
function cutAfter(enough) {
  let isCut = false;
  return async (...request) => {
    const response = await fetch(...request);
    if (isCut) return response;
    const read = response.body.getReader();
    const came = new TextDecoder();
    let seen = '';
    const body = new ReadableStream({
      async pull(controller) {
        const { value, done } = await read.read();
        if (done) return controller.close();
        controller.enqueue(value);
        seen += came.decode(value, { stream: true });
        if (!seen.includes(enough)) return;
        isCut = true;
        await read.cancel();
        // What was enqueued is read first.
        setTimeout(() => controller.error(new TypeError('network error')), 50);
        await sleep(100);
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

const runs = {
  async 'a guest, with a second question and the first once more'() {
    const [talk, first] = await asked('libro 12', { body: { use_llm: false } });
    assert.deepEqual(kinds(first), whole('lookup_book'));
    assert.deepEqual(Object.keys(first.metadata).sort(), ['notice', 'stop_reason']);
    const tool = part(first, 'tool-lookup_book');
    assert.equal(tool.state, 'output-available');
    assert.equal(tool.output.results[0].libro_id, 12);
    const [book] = part(first, 'data-results').data;
    assert.equal(book.libro_id, 12);
    assert(text(first).includes(book.titulo));
    assert.equal(part(first, 'data-actions').data[0].type, 'view_book');

    await talk.sendMessage({ text: 'parecidos a Rayuela' }, { body: { k: 2 } });
    const second = await settled(talk);
    assert.deepEqual(kinds(second), whole('recommend_similar'));
    assert.equal(part(second, 'data-results').data.length, 2);
    assert.equal(talk.messages.length, 4);

    await talk.regenerate();
    const again = await settled(talk);
    assert.equal(talk.messages.length, 4);
    assert.notEqual(again.id, second.id);
    assert.equal(part(again, 'tool-recommend_similar').input.titulo, 'rayuela');
  },

  async 'a customer, whose conversation is kept'() {
    const [talk, first] = await asked('libro 12', { headers: signedIn });
    assert.deepEqual(kinds(first), whole('lookup_book'));
    const { conversation, message_id, model, usage } = first.metadata;
    assert.deepEqual({ conversation, model, usage }, { conversation: 1, model: 'grounded', usage: { input_tokens: 10, output_tokens: 5 } });
    const actions = part(first, 'data-actions').data.map(action => action.type);
    assert(actions.includes('add_to_cart'), actions);
    await talk.sendMessage({ text: 'libro 13' });
    const second = await settled(talk);
    assert(second.metadata.message_id > message_id);
    assert.deepEqual([first, second].map(message => 'notice' in message.metadata), [true, false]);
    const history = await fetch(`${url}/api/agent/history/`, { headers: signedIn }).then(answer => answer.json());
    assert.deepEqual(history.messages.map(message => message.content), ['libro 12', text(first), 'libro 13', text(second)]);
  },

  async 'a model that thinks first'() {
    const [, message] = await asked('libro 12', { headers: signedIn, body: { model: 'thinking', enable_thinking: true } });
    const [start, tool, ...rest] = whole('lookup_book');
    assert.deepEqual(kinds(message), [start, tool, 'reasoning', ...rest]);
    const thought = part(message, 'reasoning');
    assert.deepEqual([thought.text.split('\n').length, thought.state], [2, 'done']);
  },

  async 'a model that looks for more'() {
    const [, message] = await asked('libro 12', { headers: signedIn, body: { model: 'searcher' } });
    const [start, tool, ...rest] = whole('lookup_book');
    assert.deepEqual(kinds(message), [start, tool, 'tool-search_catalog', ...rest]);
    assert(text(message).includes('Tolkien'));
  },

  async 'a model that proposes a change'() {
    const [, message] = await asked('libro 12', { headers: signedIn, body: { model: 'reserver' } });
    assert.deepEqual(kinds(message), [...whole('lookup_book'), 'data-approval']);
    const { approval, action, payload } = part(message, 'data-approval').data;
    assert.deepEqual([action, payload], ['reserve_book', { book_id: 12, cantidad: 2 }]);
    const approved = await fetch(`${url}/api/agent/actions/`, {
      method: 'POST', headers: { ...signedIn, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'approve', payload: { approval } }),
    });
    assert.equal(approved.status, 200);
  },

  async 'a tool that fails, and books all the same'() {
    const [, message] = await asked('libro 999999', { body: { use_llm: false } });
    const tool = part(message, 'tool-lookup_book');
    assert.deepEqual([tool.state, tool.errorText], ['output-error', 'book_not_found']);
    assert(Array.isArray(part(message, 'data-results').data));
  },

  async 'only the last message, and several parts of it'() {
    const transport = new Transport({
      prepareSendMessagesRequest: ({ messages }) => ({ body: { message: messages.at(-1), use_llm: false } }),
    });
    const talk = new Chat({ transport });
    await talk.sendMessage({ parts: [{ type: 'text', text: 'categoria: novela' }, { type: 'text', text: 'precio_max: 20' }] });
    const { input } = part(await settled(talk), 'tool-filter_catalog');
    assert.deepEqual(input.filters, { categoria: 'novela', precio_max: '20.00' });
  },

  async 'a chat that has become long'() {
    const [first] = await asked('tolkien', { body: { use_llm: false } });
    let earlier = [];
    while (JSON.stringify(earlier).length < 300_000) earlier = [...earlier, ...structuredClone(first.messages)];
    const [talk] = await asked('libro 12', { body: { use_llm: false }, messages: earlier });
    assert.equal(talk.messages.length, earlier.length + 2);
  },

  async 'refusals'() {
    for (const [message, body, detail] of [
      [{ text: ' ' }, {}, '`message` is blank'],
      [{ parts: [{ type: 'file', mediaType: 'image/png', url: 'data:,' }] }, {}, 'none of the `parts` of the user\'s message is a text'],
      [{ text: 'hola' }, { message: 7 }, '`message` is neither a string nor a message of the role `user`'],
    ]) {
      const talk = chat({ headers: signedIn, body });
      await talk.sendMessage(message);
      counted.runs += 1;
      assert.deepEqual([talk.status, talk.error.statusCode], ['error', 400]);
      const problem = JSON.parse(talk.error.responseBody);
      assert.deepEqual([problem.error, problem.detail], ['invalid_request', detail]);
    }
  },

  async 'a cut while the turn goes on, and once more when it is over'() {
    const talk = chat({ headers: signedIn, body: { model: 'hesitant' }, fetch: cutAfter('text-delta') });
    await talk.sendMessage({ text: 'libro 12' });
    assert.deepEqual([talk.status, talk.ending.isDisconnect], ['error', true]);
    const cut = structuredClone(talk.lastMessage);
    await talk.resumeStream();
    const resumed = await settled(talk);
    assert.equal(resumed.id, cut.id);
    assert.deepEqual(kinds(resumed), whole('lookup_book'));
    assert(text(resumed).startsWith(text(cut)) && text(resumed) !== text(cut));
    await talk.resumeStream();
    assert.deepEqual(await settled(talk), resumed);
    assert.equal(talk.messages.length, 2);
  },

  async 'the same request twice by its key'() {
    const question = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'libro 12, con llave' }] };
    const request = { chatId: 'keyed', trigger: 'submit-message', messages: [question] };
    const heard = async () => {
      let answer;
      const transport = new Transport({
        headers: { ...signedIn, 'idempotency-key': 'k-1' },
        fetch: async (...request) => { answer = await fetch(...request); return answer; },
      });
      let message;
      for await (message of readUIMessageStream({ stream: await transport.sendMessages(request), terminateOnError: true }));
      counted.runs += 1;
      assert.equal(answer.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
      return [message, answer.headers.get('idempotent-replayed'), transport.chunks.filter(chunk => chunk.type === 'text-delta').length];
    };
    const [first, firstReplayed, lines] = await heard();
    const [second, secondReplayed, atOnce] = await heard();
    assert.deepEqual([firstReplayed, secondReplayed], [null, 'true']);
    assert.deepEqual(second, first);
    assert(lines > 1 && atOnce === 1);
  },

  async 'a turn that is stopped'() {
    const talk = chat({ headers: signedIn, body: { model: 'stalling' } });
    const sent = talk.sendMessage({ text: 'libro 12' });
    while (!talk.lastMessage?.parts.some(part => part.state === 'output-available')) await sleep(20);
    const path = `${stream}/${talk.lastMessage.id}`;
    const stopped = await fetch(path, { method: 'DELETE', headers: signedIn }).then(answer => answer.json());
    assert.equal(stopped.cancelled, true);
    await sent;
    await settled(talk, { finish: null });
    assert.equal(talk.chunks().at(-1).type, 'abort');
    await talk.resumeStream();
    await settled(talk, { finish: null });
    assert.equal(talk.chunks().at(-1).type, 'abort');
  },
};

/** Were anything wrong with a stream, the package would say so. */
async function objections() {
  for (const [right, wrong] of [
    ['"finishReason":"stop"', '"finishReason":"end_turn"'],
    ['"type":"text-start"', '"type":"text-begin"'],
    ['data: {"type":"text-start","id":"message"}\n\n', ''],
    ['"toolCallId"', '"tool_use_id"'],
    ['"type":"data-results"', '"type":"results"'],
    ['data: {"type":"tool-input-available"', ': {"type":"tool-input-available"'],
  ]) {
    const mangled = async (...request) => {
      const answer = await fetch(...request);
      const body = await answer.text();
      assert(body.includes(right), right);
      return new Response(body.replaceAll(right, wrong), { status: answer.status, headers: answer.headers });
    };
    const before = { ...counted };
    const talk = chat({ body: { use_llm: false }, fetch: mangled });
    await talk.sendMessage({ text: 'libro 12' });
    Object.assign(counted, before);
    assert.equal(talk.status, 'error', `${right} is not missed`);
    counted.objections += 1;
  }
}

for (const [name, run] of Object.entries(runs)) {
  try {
    await run();
  } catch (error) {
    error.message = `${name}: ${error.message}`;
    throw error;
  }
}
await objections();
const { runs: done, chunks, messages, objections: refused } = counted;
console.log(`ai-sdk: ${done} runs, ${chunks} chunks and ${messages} messages accepted by the official package, ${refused} mangled streams refused`);
