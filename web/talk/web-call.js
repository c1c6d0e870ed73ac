// One call between this page and an assistant: the request that opens it, the WebSocket, microphone and speaker.
import { AudioWaker } from './sound/audio-waker.js';
import { Microphone } from './sound/microphone.js';
import { openSpeaker } from './sound/speaker.js';

const RECONNECT_MS = 10_000;
const RETRY_MS = 500;
const PLAYED_EVERY_MS = 500;
/** The server closes a connection over which nothing comes for 15 seconds. */
const ALIVE_EVERY_MS = 5_000;
const CLOSE_OVER = 1000;
const CLOSE_REPLACED = 4409;
const CLOSE_UNAUTHORIZED = 4401;

/** Why a call could not be, for the page to say in its own words. */
export class WebCallError extends Error {
  /**
   * @param {'refused' | 'no-microphone' | 'microphone-denied' | 'insecure' | 'network'} code
   * @param {string} [detail] what the server said
   */
  constructor(code, detail) {
    super(detail || code);
    this.code = code;
  }
}

/**
 * Events: `ready`, `state` {state}: reconnecting, listening, thinking or speaking, `turn` {role, text, final},
 * `level` {who, level}, `sound` {notice, microphones, microphone}, `ended` {reason}.
 */
export class WebCall extends EventTarget {
  /**
   * `open` asks the server for a call; `worklets` are addresses of the two scripts of the audio thread. Without a microphone
   * words can still be typed, unless `needsMicrophone`.
   *
   * @param {{ open: () => Promise<{ url: string, token: string }>, worklets: string[], needsMicrophone?: boolean }} options
   */
  constructor({ open, worklets, needsMicrophone }) {
    super();
    this.open = open;
    this.worklets = worklets;
    this.needsMicrophone = needsMicrophone;
    this.isMuted = false;
    this.isOver = false;
    this.lostAt = 0;
    this.playedMs = 0;
    this.lastPlayedAt = 0;
  }

  /**
   * Asks for the microphone, opens the call and begins.
   *
   * @throws {WebCallError} with `needsMicrophone`, when there is none
   */
  async start() {
    this.context = new AudioContext();
    // Resumes it within the click that began the call: browsers play nothing otherwise.
    this.waker = new AudioWaker(this.context, () => this.soundChanged());
    // Undefined on plain http, where browsers give no microphone either: words are typed and read there.
    const { audioWorklet } = this.context;
    await Promise.all(this.worklets.map((address) => audioWorklet?.addModule(address)));
    // Hung up in the meantime: a call that has no browser costs nothing.
    if (this.isOver) return;
    this.microphone = new Microphone(this.context, {
      onSound: (sound) => this.onHeard(sound),
      onChange: () => this.soundChanged(),
    });
    await this.microphone.open();
    const { problem } = this.microphone;
    if (problem && this.needsMicrophone) throw new WebCallError(problem);
    if (this.isOver) return;
    this.opened = await this.open();
    if (this.isOver) return;
    if (audioWorklet) this.speaker = openSpeaker(this.context, (played) => this.onPlayed(played));
    this.aliveTimer = setInterval(() => this.sayPlayed(), ALIVE_EVERY_MS);
    this.connect();
    this.soundChanged();
  }

  connect() {
    const socket = new WebSocket(this.opened.url);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ type: 'start', token: this.opened.token })),
    );
    socket.addEventListener('message', ({ data }) => {
      if (typeof data === 'string') this.onMessage(JSON.parse(data));
      else this.speaker?.play(data);
    });
    socket.addEventListener('close', ({ code }) => this.onClosed(socket, code));
  }

  onMessage(message) {
    if (message.type === 'ready') this.lostAt = 0;
    if (message.type === 'clear') this.speaker?.clear();
    if (message.type === 'ended') this.end(message.reason);
    else this.tell(message.type, message);
  }

  onClosed(socket, code) {
    if (this.isOver || socket !== this.socket) return;
    this.lostAt ||= performance.now();
    const isFinal = [CLOSE_OVER, CLOSE_REPLACED, CLOSE_UNAUTHORIZED].includes(code);
    if (isFinal || performance.now() - this.lostAt > RECONNECT_MS) this.end('connection-lost');
    else {
      this.tell('state', { state: 'reconnecting' });
      setTimeout(() => !this.isOver && this.connect(), RETRY_MS);
    }
  }

  onHeard({ frame, level }) {
    this.tell('level', { who: 'customer', level: this.isMuted ? 0 : level });
    if (this.socket?.readyState !== WebSocket.OPEN || this.lostAt !== 0) return;
    this.socket.send(this.isMuted ? new ArrayBuffer(frame.byteLength) : frame);
  }

  onPlayed({ level, playedMs }) {
    if (this.isOver) return;
    this.playedMs = playedMs;
    this.tell('level', { who: 'assistant', level });
    if (performance.now() - this.lastPlayedAt >= PLAYED_EVERY_MS) this.sayPlayed();
  }

  sayPlayed() {
    this.lastPlayedAt = performance.now();
    this.say({ type: 'played', ms: Math.round(this.playedMs) });
  }

  /** @returns whether the words went out */
  type(text) {
    return this.say({ type: 'text', text });
  }

  mute(isMuted) {
    this.isMuted = isMuted;
    this.soundChanged();
  }

  /** Lets the sound run again, and looks for a microphone where there is none. To be called by a click. */
  retrySound() {
    this.waker?.wake();
    if (this.microphone?.canRetry) void this.microphone.retry();
  }

  /** @param {string} id of one of `microphones`; empty: the system's */
  chooseMicrophone(id) {
    void this.microphone?.choose(id);
  }

  hangUp() {
    this.say({ type: 'hangup' });
    this.end('customer');
  }

  say(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  soundChanged() {
    if (this.isOver) return;
    const { microphone, waker } = this;
    const ofMicrophone = microphone?.notice ?? null;
    const isKnown = this.isMuted && ofMicrophone === 'microphone-silent';
    this.tell('sound', {
      notice: waker?.isPaused ? 'sound-paused' : isKnown ? null : ofMicrophone,
      microphones: microphone?.choices ?? [],
      microphone: microphone?.current ?? '',
    });
  }

  end(reason) {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.aliveTimer);
    this.socket?.close(CLOSE_OVER);
    this.waker?.close();
    this.microphone?.close();
    this.speaker?.close();
    void this.context?.close();
    this.tell('ended', { reason });
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
