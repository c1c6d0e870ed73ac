import { randomUUID } from 'node:crypto';
import { APIConnectionError } from '@livekit/agents';

/** Headers of a message end with an empty line, as in HTTP. */
const HEADERS_END = '\r\n\r\n';
const LENGTH_BYTES = 2;

/** What the service sends: a path that names the message, and JSON. */
export interface AzureMessage {
  /** In lower case, such as `speech.phrase`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Ids of the protocol are UUIDs without dashes. */
export function azureId(): string {
  return randomUUID().replaceAll('-', '');
}

export function textMessage(path: string, requestId: string, body: object): string {
  return `${headersOf(path, requestId, 'application/json; charset=utf-8')}\r\n${JSON.stringify(body)}`;
}

/** Two bytes with the length of the headers, the headers, the sound. No sound at all ends the stream. */
export function audioMessage(requestId: string, sound: Uint8Array, contentType?: string): Buffer {
  const headers = Buffer.from(headersOf('audio', requestId, contentType), 'latin1');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(headers.length);
  return Buffer.concat([length, headers, sound]);
}

/** @throws APIConnectionError for what is no message of the protocol */
export function parseMessage(text: string): AzureMessage {
  const end = text.indexOf(HEADERS_END);
  const path = end < 0 ? undefined : /^path:[ \t]*(\S+)/im.exec(text.slice(0, end))?.[1];
  if (path === undefined) throw foreign();
  const json = text.slice(end + HEADERS_END.length).trim();
  return { path: path.toLowerCase(), body: json === '' ? {} : objectOf(json) };
}

function headersOf(path: string, requestId: string, contentType?: string): string {
  const lines = [`Path: ${path}`, `X-RequestId: ${requestId}`, `X-Timestamp: ${new Date().toISOString()}`];
  if (contentType !== undefined) lines.push(`Content-Type: ${contentType}`);
  return lines.map((line) => `${line}\r\n`).join('');
}

function objectOf(json: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw foreign();
  }
  if (typeof parsed !== 'object' || parsed === null) throw foreign();
  return parsed as Readonly<Record<string, unknown>>;
}

function foreign(): APIConnectionError {
  return new APIConnectionError({ message: 'Azure sent something that is no message of its protocol' });
}
