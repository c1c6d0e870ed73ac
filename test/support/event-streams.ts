import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface StreamedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a stream has sent until its end. */
export function parseEvents(text: string): StreamedEvent[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      return { event: event.replace('event: ', ''), data: JSON.parse(data.replace('data: ', '')) };
    });
}

/** The event streams that a server is asked for. One can be made dead: its connection stays open and silent. */
export class EventStreams {
  private readonly opened: ServerResponse[] = [];

  /** @param path how the address of such a stream ends */
  constructor(
    private readonly server: Server,
    private readonly path: string,
  ) {
    server.prependListener('request', this.note);
  }

  /** How many were opened so far. */
  get count(): number {
    return this.opened.length;
  }

  /** What is written to the last one gets lost. */
  cutLast(): void {
    const last = this.opened.at(-1);
    if (!last) throw new Error('no stream was opened');
    last.write = () => true;
  }

  stop(): void {
    this.server.off('request', this.note);
  }

  private readonly note = ({ url = '' }: IncomingMessage, response: ServerResponse): void => {
    if (url.endsWith(this.path)) this.opened.push(response);
  };
}
