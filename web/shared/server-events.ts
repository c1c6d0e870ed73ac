/** One event of a stream: its name, and what it carries. */
export interface ServerEvent {
  readonly name: string;
  readonly data: unknown;
}

/**
 * The events of an answer that was asked for as `text/event-stream`. Unlike an EventSource it reads the answer of a POST,
 * and never asks again by itself: a message that is sent twice costs twice.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let unread = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      unread += value;
      const blocks = unread.split('\n\n');
      unread = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): ServerEvent | null {
  const lines = block.split('\n');
  const of = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
  const data = of('data').join('\n');
  // Comments keep the connection open.
  return data === '' ? null : { name: of('event')[0] ?? 'message', data: JSON.parse(data) as unknown };
}
