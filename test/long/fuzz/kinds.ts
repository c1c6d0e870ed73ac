import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { makeDocx, makePdf, makeScannedPdf } from '../../support/documents.js';
import { requestsTo } from '../../support/fuzz-requests.js';
import { zipOf } from '../../support/zip.js';
import { chunkOf } from '../testbed/model-server.js';
import { DELIVERIES, type FuzzHarness } from './harness.js';
import { type FuzzInput, mutationsOf, plain } from './mutation.js';

/** One kind of input from outside. */
export interface FuzzKind {
  readonly name: string;
  readonly inputs: (harness: FuzzHarness) => Promise<fc.Arbitrary<FuzzInput>>;
  /** @throws with what is wrong */
  readonly send: (harness: FuzzHarness, input: FuzzInput) => Promise<void>;
}

const BOUNDARY = 'XX';
const delivery = fc.constantFrom(...DELIVERIES);
/** What is usual, and now and then something else. */
function mostly(usual: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
}

const post = async (harness: FuzzHarness, input: FuzzInput) => void (await harness.post(input));

// --- multipart ---------------------------------------------------------------------------------------------------------

const PART_HEADERS = [
  'Content-Disposition: form-data; name="file"; filename="a.csv"',
  'Content-Disposition: form-data; name="name"',
  'Content-Disposition: form-data; name="type"',
  'Content-Disposition: form-data',
  "Content-Disposition: attachment; filename*=UTF-8''%ff%fe",
  `Content-Disposition: form-data; name="${'n'.repeat(5_000)}"`,
  'Content-Disposition: form-data; name="file"; filename="../../x\0.csv"',
  'Content-Type: text/csv',
  'Content-Type: multipart/mixed; boundary=YY',
  'Content-Transfer-Encoding: base64',
  'no colon here',
  ': empty name',
  '\0\0',
  '',
] as const;
const PART_BODIES = [
  'phone_number\n+5511987654321\n',
  'x',
  '',
  'pdf',
  'Preços',
  '--XX',
  '\r\n--XX\r\n',
  '\0',
] as const;
const TYPES = [
  `multipart/form-data; boundary=${BOUNDARY}`,
  `multipart/form-data; boundary="${BOUNDARY}"`,
  'multipart/form-data; boundary=',
  'multipart/form-data',
  `multipart/form-data; boundary=${'b'.repeat(200)}`,
  `multipart/mixed; boundary=${BOUNDARY}`,
] as const;

const grammaticalForm: fc.Arbitrary<Buffer> = fc
  .record({
    parts: fc.array(
      fc.record({
        opening: mostly(`--${BOUNDARY}\r\n`, `--${BOUNDARY}\n`, `--${BOUNDARY}`, ''),
        headers: fc.array(fc.constantFrom(...PART_HEADERS), { maxLength: 4 }),
        blank: mostly('\r\n\r\n', '\r\n', '\n\n', ''),
        body: fc.constantFrom(...PART_BODIES),
        end: mostly('\r\n', '\n', ''),
      }),
      { maxLength: 25 },
    ),
    closing: mostly(`--${BOUNDARY}--\r\n`, `--${BOUNDARY}--`, `--${BOUNDARY}`, ''),
  })
  .map(({ parts, closing }) => {
    const texts = parts.map(
      ({ opening, headers, blank, body, end }) => `${opening}${headers.join('\r\n')}${blank}${body}${end}`,
    );
    return Buffer.from(texts.join('') + closing);
  });

function formOf(fields: Record<string, string>, file: Buffer, fileName: string): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join('')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

const CSV = Buffer.from('phone_number,nome\n+5511987654321,Ana\n"+5511987654322","Bruno, o outro"\n');

const multipart: FuzzKind = {
  name: 'multipart',
  inputs: async ({ ids }) => {
    const samples = [
      formOf({}, CSV, 'leads.csv'),
      formOf({ name: 'Preços', type: 'txt' }, Buffer.from('O pão custa 2 reais.'), 'a.txt'),
    ];
    const body = fc.oneof(mutationsOf(samples, [...PART_HEADERS, `--${BOUNDARY}`]), grammaticalForm);
    const path = fc.constantFrom(
      `/api/user/campaigns/${ids.campaign}/leads/import`,
      `/api/user/knowledgebases/${ids.knowledgebase}/documents`,
    );
    const type = mostly(TYPES[0], ...TYPES);
    return fc
      .record({ body, path, type, delivery })
      .map(({ body: bytes, ...facts }): FuzzInput => plain(bytes, facts));
  },
  send: post,
};

// --- JSON --------------------------------------------------------------------------------------------------------------

const json: FuzzKind = {
  name: 'json',
  inputs: async ({ testbed, ids }) => {
    const known = { integers: [ids.assistant, ids.campaign, ids.knowledgebase], uuids: [ids.uuid] };
    // What others of this run need stays: no deletions, no sessions, and no calls to real models by thousands.
    const routes = testbed.contract.routes.filter(({ method }) => ['post', 'put', 'patch'].includes(method));
    const samples = routes.map((route) => requestsTo(route, known));
    const noise = mutationsOf(
      [Buffer.from('{"name":"Ana","variables":{"a":[1,2,{"b":null}]},"phone_number":"+5511987654321"}')],
      ['\\u0000', '\\ud800', '1e999', '-0', 'null', '__proto__', '{"a":', '[['],
    );
    return fc
      .tuple(
        fc.oneof(...samples),
        fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: noise }),
        delivery,
      )
      .map(([{ method, url, headers, body }, bytes, how]): FuzzInput => {
        const { host: _host, ...rest } = headers;
        const facts = { ...rest, method: method.toUpperCase(), path: url, delivery: how };
        return plain(bytes ?? body ?? Buffer.alloc(0), facts);
      });
  },
  send: post,
};

// --- CSV ---------------------------------------------------------------------------------------------------------------

const CELLS = [
  '+5511987654321',
  '11987654321',
  '',
  ' ',
  '"',
  '""',
  '"a,b"',
  '"a\nb"',
  '=1+1',
  '\0',
  '﻿',
  'é'.repeat(400),
  'x'.repeat(7e4),
  '{"a":1}',
  '\ud800',
  '"unclosed',
  '+0',
  '٠١٢٣',
] as const;
const COLUMNS = [
  'phone_number',
  'PHONE_NUMBER',
  'nome',
  '',
  'secondary_contact_1',
  'secondary_contact_1_name',
  'secondary_contact_11',
  '__proto__',
  'constructor',
  '"phone_number"',
  '﻿phone_number',
] as const;

const grammaticalCsv: fc.Arbitrary<Buffer> = fc
  .record({
    header: fc.array(fc.constantFrom(...COLUMNS), { minLength: 1, maxLength: 12 }),
    rows: fc.array(fc.array(fc.constantFrom(...CELLS), { maxLength: 14 }), { maxLength: 60 }),
    comma: fc.constantFrom(',', ',', ';', '\t'),
    line: fc.constantFrom('\n', '\n', '\r\n', '\r'),
    charset: fc.constantFrom('utf8', 'utf8', 'latin1', 'utf16le'),
  })
  .map(({ header, rows, comma, line, charset }) =>
    Buffer.from(
      [['phone_number', ...header], ...rows].map((cells) => cells.join(comma)).join(line),
      charset as BufferEncoding,
    ),
  );

const csv: FuzzKind = {
  name: 'csv',
  inputs: async ({ ids }) =>
    fc
      .record({ body: fc.oneof(mutationsOf([CSV], COLUMNS), grammaticalCsv), delivery })
      .map(({ body, delivery: how }) =>
        plain(body, {
          path: `/api/user/campaigns/${ids.campaign}/leads/import`,
          type: 'text/csv',
          delivery: how,
        }),
      ),
  send: post,
};

// --- PDF and DOCX ------------------------------------------------------------------------------------------------------

const READ_WITHIN_MS = 150_000;
const SECTIONS = [{ heading: 'Preços', paragraphs: ['O pão custa 2 reais.', 'O bolo custa 30 reais.'] }];

/** Uploads a document, waits until it was read, for good or bad, and takes it away again. */
async function readDocument(harness: FuzzHarness, { body, facts }: FuzzInput): Promise<void> {
  const { document = 'pdf' } = facts;
  const path = `/api/user/knowledgebases/${harness.ids.knowledgebase}/documents`;
  const { status, text } = await harness.post({
    body: formOf({ name: 'Fuzz', type: document }, body, `a.${document}`),
    facts: { path, type: TYPES[0] },
  });
  if (status !== 201) return;
  const { data } = JSON.parse(text) as { data: { id: number } };
  const deadline = performance.now() + READ_WITHIN_MS;
  for (let state = 'processing'; state === 'processing'; await sleep(100)) {
    const seen = await harness.client.ask('GET', `${path}/${data.id}`);
    if (seen.status !== 200) throw new Error(`the document cannot be read: ${seen.status} ${seen.text}`);
    state = (JSON.parse(seen.text) as { data: { status: string } }).data.status;
    if (state === 'processing' && performance.now() > deadline)
      throw new Error(`the document is still being read after ${READ_WITHIN_MS} ms`);
  }
  await harness.client.ask('DELETE', `${path}/${data.id}`);
}

const PDF_TOKENS = [
  'obj',
  'endobj',
  'stream\n',
  'endstream',
  'xref\n',
  'trailer',
  'startxref\n',
  '%%EOF',
  '<<',
  '>>',
  '/Length -1',
  '/Length 99999999',
  '/Kids [1 0 R]',
  '/Parent 1 0 R',
  '/Filter /FlateDecode',
  '/Count 1000000000',
  '/JS',
  '/Prev 0',
  '/Filter [/ASCII85Decode /LZWDecode]',
  '/Encrypt 1 0 R',
  '/FontMatrix [0 0 0 0 (x) 0]',
  '1 0 R',
  '(',
  '\\(',
] as const;

const grammaticalPdf: fc.Arbitrary<Buffer> = fc
  .array(
    fc.tuple(
      fc.nat(12),
      fc.array(fc.constantFrom(...PDF_TOKENS, '/Type /Page', '/Type /Catalog', '/Pages 2 0 R')),
    ),
    { maxLength: 12 },
  )
  .map((objects) => {
    const body = objects.map(([id, tokens]) => `${id} 0 obj\n<< ${tokens.join(' ')} >>\nendobj\n`).join('');
    return Buffer.from(
      `%PDF-1.7\n${body}xref\n0 1\n0000000000 65535 f\ntrailer << /Root 1 0 R /Size 9 >>\nstartxref\n9\n%%EOF`,
    );
  });

const pdf: FuzzKind = {
  name: 'pdf',
  inputs: async () => {
    const samples = [await makePdf(SECTIONS, 'Tabela'), await makeScannedPdf()];
    return fc
      .oneof({ weight: 3, arbitrary: mutationsOf(samples, PDF_TOKENS) }, grammaticalPdf)
      .map((body) => plain(body, { document: 'pdf' }));
  },
  send: readDocument,
};

const XML = [
  '<w:p><w:r><w:t>Preço</w:t></w:r></w:p>',
  '<w:p>',
  '</w:p>',
  '<w:tbl><w:tr><w:tc>',
  '<w:hyperlink r:id="x">',
  '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>&c;',
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
  '<w:numPr><w:ilvl w:val="99999999"/></w:numPr>',
  '<![CDATA[',
  '&#0;',
  '\0',
] as const;
const ENTRIES = [
  '[Content_Types].xml',
  '_rels/.rels',
  'word/document.xml',
  'word/styles.xml',
  'word/_rels/document.xml.rels',
  '../../evil.xml',
  'word/media/a.png',
] as const;

const grammaticalDocx: fc.Arbitrary<Buffer> = fc
  .array(
    fc.record({
      name: fc.constantFrom(...ENTRIES),
      parts: fc.array(fc.constantFrom(...XML), { maxLength: 30 }),
      nesting: fc.constantFrom(0, 0, 10, 5_000),
      claimedSize: fc.option(fc.constantFrom(0, 1, 2 ** 31), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((entries) =>
    zipOf(
      entries.map(({ name, parts, nesting, claimedSize }) => ({
        name,
        content: Buffer.from(`<w:document>${'<w:p>'.repeat(nesting)}${parts.join('')}</w:document>`),
        claimedSize,
      })),
    ),
  );

const docx: FuzzKind = {
  name: 'docx',
  inputs: async () => {
    const samples = [await makeDocx(SECTIONS, [['a', 'b']])];
    return fc
      .oneof(
        { weight: 3, arbitrary: mutationsOf(samples, ['PK\u0003\u0004', 'PK\u0001\u0002', ...XML]) },
        grammaticalDocx,
      )
      .map((body) => plain(body, { document: 'docx' }));
  },
  send: readDocument,
};

// --- SSE: what the model server streams, and clients that go away while they are streamed to ------------------------------

const EVENTS = [
  chunkOf({ content: 'Olá' }),
  chunkOf({ content: 'x'.repeat(50_000) }),
  chunkOf({
    content: null,
    tool_calls: [{ index: 0, id: 'a', function: { name: 'end_call', arguments: '{"a":' } }],
  }),
  chunkOf({ tool_calls: [{ index: 99_999, function: { arguments: '\0' } }] }),
  chunkOf({ tool_calls: 'none' }),
  chunkOf({ content: { a: 1 } }),
  chunkOf({ content: '\ud800' }),
  chunkOf({}, 'stop'),
  chunkOf({}, 'tool_calls'),
  chunkOf({}, 'length'),
  'data: [DONE]\n\n',
  'data: {"error":{"message":"overloaded","code":429}}\n\n',
  'data: {"choices":[]}\n\n',
  'data: {"choices":null}\n\n',
  'data: []\n\n',
  'data: null\n\n',
  'data: {\n\n',
  'data:\n\n',
  ': comment\n\n',
  'event: error\ndata: {}\n\n',
  'id: 1\nretry: 0\n\n',
  '\r\r\r\n',
  '\n\n\n',
] as const;

const sse: FuzzKind = {
  name: 'sse',
  inputs: async () => {
    const whole = `${EVENTS[0]}${EVENTS[0]}${EVENTS[7]}${EVENTS[10]}`;
    const body = fc.oneof(
      mutationsOf([Buffer.from(whole)], EVENTS),
      fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }).map((events) => Buffer.from(events.join(''))),
    );
    return fc
      .record({
        body,
        accept: fc.constantFrom('application/json', 'text/event-stream'),
        delivery: mostly('whole', 'cut'),
        chunkBytes: mostly('', '1', '7', '300').map((size) => size || '100000'),
        modelStatus: mostly('200', '204', '301', '400', '429', '500', '503'),
        modelType: mostly('text/event-stream', 'application/json', 'text/html', ''),
        ending: mostly('end', 'reset', 'hang'),
      })
      .map(({ body: bytes, ...facts }) => plain(bytes, facts));
  },
  send: async (harness, input) => {
    const words = harness.model.take(input);
    const { accept = 'application/json', delivery: how = 'whole' } = input.facts;
    const path = `/api/conversations/${await harness.openConversation()}/messages`;
    try {
      const facts = { path, type: 'application/json', accept, delivery: how === 'cut' ? 'leave' : 'whole' };
      if (how === 'cut') await leaveEarly(harness, path, words);
      else await harness.post({ body: Buffer.from(JSON.stringify({ message: words })), facts });
      // The conversation is free again: the next message is answered as ever.
      const next = await harness.post({
        body: Buffer.from('{"message":"Olá"}'),
        facts: { path, type: 'application/json' },
      });
      if (next.status !== 200)
        throw new Error(`the next message is answered with ${next.status}: ${next.text}`);
    } finally {
      harness.model.forget(words);
    }
  },
};

/** Asks for events, reads the first bytes, and closes. */
async function leaveEarly(harness: FuzzHarness, path: string, message: string): Promise<void> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  try {
    const response = await fetch(`${harness.testbed.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ message }),
      signal: controller.signal,
    });
    await response.body?.getReader().read();
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  }
  controller.abort();
}

// --- HTTP Upgrade: there is no WebSocket endpoint yet, so every one of these must be refused ------------------------------

const REQUEST_LINES = [
  'GET / HTTP/1.1',
  'GET /api/web-calls/media HTTP/1.1',
  'GET /health/live HTTP/1.1',
  'POST /api/conversations HTTP/1.1',
  'GET ws://127.0.0.1/ HTTP/1.1',
  'GET / HTTP/1.0',
  'PRI * HTTP/2.0',
  'CONNECT 127.0.0.1:5432 HTTP/1.1',
] as const;
const UPGRADE_LINES = [
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Connection: keep-alive, Upgrade, HTTP2-Settings',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Upgrade: \u00ff',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Key:',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Version: 99',
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99',
  `Sec-WebSocket-Protocol: ${'p,'.repeat(2_000)}`,
  'Transfer-Encoding: chunked',
  'Content-Length: 5',
  'Content-Length: -1',
  'Expect: 100-continue',
] as const;
const FRAMES = [
  Buffer.from([0x81, 0x85, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  Buffer.from([0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255]),
  Buffer.from([0x88, 0x00]),
  Buffer.from([0xff, 0xff]),
  Buffer.alloc(0),
] as const;
const QUIET_MS = 400;

const upgrade: FuzzKind = {
  name: 'websocket',
  inputs: async () =>
    fc
      .record({
        first: fc.constantFrom(...REQUEST_LINES),
        lines: fc.array(fc.constantFrom(...UPGRADE_LINES), { minLength: 1, maxLength: 10 }),
        frames: fc.array(fc.constantFrom(...FRAMES), { maxLength: 4 }),
      })
      .chain(({ first, lines, frames }) => {
        const head = Buffer.from(`${[first, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
        return mutationsOf([Buffer.concat([head, ...frames])], UPGRADE_LINES);
      })
      .map((body) => plain(body, {})),
  send: async ({ testbed }, { body }) => {
    const answer = await rawAnswer(Number(new URL(testbed.url).port), body);
    const [, status = ''] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
    if (status === '101') throw new Error(`the upgrade was accepted: ${answer.slice(0, 200)}`);
    if (status.startsWith('5')) throw new Error(`answered ${status}: ${answer.slice(0, 300)}`);
    if (answer !== '' && status === '') throw new Error(`no HTTP answer: ${answer.slice(0, 200)}`);
  },
};

/** Writes bytes and reads until the other side closes or says nothing more. */
function rawAnswer(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(QUIET_MS, done);
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    // A refused connection may be reset while we still write.
    socket.on('error', done);
    socket.on('close', done);
  });
}

export const KINDS: readonly FuzzKind[] = [multipart, json, csv, pdf, docx, sse, upgrade];
