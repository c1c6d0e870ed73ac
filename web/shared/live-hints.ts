import { Silence } from './silence.js';

/**
 * What has changed in the account: read it anew. `resync`: hints may have been missed. The browser's own two say of the
 * stream that it is `broken`, and `open` again.
 */
export interface LiveHint {
  readonly type: string;
  readonly ids: readonly (string | number)[];
}

export type HintListener = (hint: LiveHint) => void;

const URL = '/api/user/events';
const CHANNEL = 'prosa-hints';
const LOCK = 'prosa-hints';
/** How soon a broken stream is opened anew: at once would be a flood after a restart of the server. */
const RETRY_MS = { least: 1_000, most: 30_000 };
/** While there is no stream, what is shown is read anew this often. */
const POLL_MS = 15_000;
const RESYNC: LiveHint = { type: 'resync', ids: [] };
const BROKEN: LiveHint = { type: 'broken', ids: [] };
const OPEN: LiveHint = { type: 'open', ids: [] };

/**
 * The hints of the account, with one event stream for all tabs of a browser: a tab holds a lock and the stream, and tells
 * the others. Browsers allow six connections to a host, so a stream a tab would stop the seventh tab. Where there are no
 * locks (plain HTTP but on one’s own machine) each visible tab has a stream of its own.
 *
 * @returns ends it
 */
export function listenToHints(listener: HintListener): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => listener(data as LiveHint));
  signal.addEventListener('abort', () => channel.close());
  const tellAll: HintListener = (hint) => {
    if (signal.aborted) return;
    listener(hint);
    channel.postMessage(hint);
  };
  // The browser has suspended what is hidden for long: hints may have been missed.
  whenShown(() => listener(RESYNC), signal);
  if (globalThis.navigator.locks) void streamUnderLock(tellAll, signal);
  else streamWhileShown(listener, signal);
  return () => stop.abort();
}

async function streamUnderLock(listener: HintListener, signal: AbortSignal): Promise<void> {
  try {
    await navigator.locks.request(LOCK, { signal }, async () => {
      // The lock can be granted after the page has stopped waiting for it.
      if (signal.aborted) return;
      keepStream(listener, signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function streamWhileShown(listener: HintListener, signal: AbortSignal): void {
  let shown = new AbortController();
  const update = () => {
    shown.abort();
    if (document.hidden || signal.aborted) return;
    shown = new AbortController();
    keepStream(listener, shown.signal);
  };
  document.addEventListener('visibilitychange', update, { signal });
  signal.addEventListener('abort', update);
  update();
}

function whenShown(act: () => void, signal: AbortSignal): void {
  document.addEventListener('visibilitychange', () => !document.hidden && act(), { signal });
}

/** Opens the stream, and anew whenever it breaks: a browser itself gives up for good at an answer like 503. */
function keepStream(listener: HintListener, signal: AbortSignal): void {
  let failures = 0;
  let wasRefused = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let close = () => {};
  const open = () => {
    const stream = new EventSource(URL);
    const lost = () => {
      const isRefused = stream.readyState === EventSource.CLOSED;
      close();
      failures += 1;
      listener(BROKEN);
      // A browser does not tell the status. If it is that the session has ended, the next request says so.
      if (isRefused && !wasRefused) listener(RESYNC);
      wasRefused ||= isRefused;
      poll ??= setInterval(() => listener(RESYNC), POLL_MS);
      const most = Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** failures);
      retry = setTimeout(open, RETRY_MS.least + Math.random() * (most - RETRY_MS.least));
    };
    const silence = new Silence(lost);
    close = () => {
      silence.end();
      stream.close();
    };
    stream.addEventListener('open', () => {
      failures = 0;
      wasRefused = false;
      clearInterval(poll);
      poll = undefined;
      listener(OPEN);
    });
    stream.addEventListener('heartbeat', () => silence.broken());
    stream.addEventListener('message', ({ data }) => {
      silence.broken();
      listener(JSON.parse(data as string) as LiveHint);
    });
    stream.addEventListener('error', lost);
  };
  open();
  signal.addEventListener('abort', () => {
    clearTimeout(retry);
    clearInterval(poll);
    close();
  });
}
