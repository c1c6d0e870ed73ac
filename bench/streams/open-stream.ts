import { Agent, get, type IncomingMessage } from 'node:http';

/** One connection a stream, as browsers have it. */
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** An event stream as a page holds it open: it reads whatever comes. */
export class OpenStream {
  private waiting: { readonly type: string; readonly resolve: (at: number) => void } | null = null;
  private unread = '';
  isOpen = true;
  /** Cut off instead of ended. */
  isBroken = false;
  /** Once the stream is over, however. */
  readonly ended: Promise<void>;

  private constructor(response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.read(text));
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.isOpen = false;
        this.isBroken = !response.complete;
        resolve();
      });
    });
    // `complete` shows the failure once the response is closed.
    response.on('error', () => undefined);
  }

  /** @throws Error for any answer that is no stream */
  static open(url: string): Promise<OpenStream> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent, headers: { Accept: 'text/event-stream' } }, (response) => {
        if (response.statusCode === 200) resolve(new OpenStream(response));
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
      request.once('error', reject);
    });
  }

  /** When the next hint of a type comes, on the clock of `performance.now()`. */
  next(type: string): Promise<number> {
    return new Promise((resolve) => {
      this.waiting = { type, resolve };
    });
  }

  private read(text: string): void {
    const blocks = (this.unread + text).split('\n\n');
    this.unread = blocks.pop() ?? '';
    const { waiting } = this;
    if (!waiting || !blocks.some((block) => block.includes(`"type":"${waiting.type}"`))) return;
    this.waiting = null;
    waiting.resolve(performance.now());
  }
}
