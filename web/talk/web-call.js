// One call between this page and an assistant: the request that opens it, the WebSocket, microphone and speaker.

const RECONNECT_MS = 10_000;
const RETRY_MS = 500;
const PLAYED_EVERY_MS = 500;
const CLOSE_OVER = 1000;
const CLOSE_REPLACED = 4409;
const CLOSE_UNAUTHORIZED = 4401;

/** Why a call could not be, for the page to say in its own words. */
export class WebCallError extends Error {
  /**
   * @param {'refused' | 'no-microphone' | 'microphone-denied' | 'insecure' | 'network'} code
   * @param {string} [detail] what the server said
   */
  constructor(code, detail = '') {
    super(detail || code);
    this.code = code;
  }
}

/**
 * Events: `ready`, `state` {state}: reconnecting, thinking, and listening when that is over, `turn` {role, text, final}, `level` {who, level},
 * `problem` {code} when the microphone is gone, `ended` {reason}.
 */
export class WebCall extends EventTarget {
  /**
   * `open` asks the server for a call; `worklets` are addresses of the two scripts of the audio thread. Without a microphone
   * words can still be typed, unless `needsMicrophone`.
   *
   * @param {{ open: () => Promise<{ url: string, token: string }>, worklets: string[], needsMicrophone?: boolean }} options
   */
  constructor({ open, worklets, needsMicrophone = false }) {
    super();
    this.open = open;
    this.worklets = worklets;
    this.needsMicrophone = needsMicrophone;
    this.isMuted = false;
    this.isOver = false;
    this.lostAt = 0;
    this.lastPlayedAt = 0;
  }

  /**
   * Asks for the microphone, opens the call and begins.
   *
   * @returns {Promise<WebCallError | null>} why there is no microphone, where words are typed instead
   */
  async start() {
    this.context = new AudioContext();
    // Within the click that began it: browsers play nothing otherwise.
    await this.context.resume();
    // Undefined on plain http, where browsers give no microphone either: words are typed and read there.
    const { audioWorklet } = this.context;
    await Promise.all(this.worklets.map((address) => audioWorklet?.addModule(address)));
    const problem = await this.openMicrophone().then(
      () => null,
      (error) => error,
    );
    if (problem && this.needsMicrophone) throw problem;
    // Hung up meanwhile: a call that nobody connects to costs nothing.
    if (this.isOver) return null;
    this.opened = await this.open();
    if (this.isOver) return null;
    if (audioWorklet) this.openSpeaker();
    this.connect();
    return problem;
  }

  openSpeaker() {
    this.player = new AudioWorkletNode(this.context, 'playback', {
      numberOfInputs: 0,
      outputChannelCount: [2],
    });
    this.player.connect(this.context.destination);
    this.player.port.addEventListener('message', ({ data }) => this.onPlayed(data));
    this.player.port.start();
  }

  async openMicrophone() {
    if (!navigator.mediaDevices?.getUserMedia)
      throw new WebCallError(window.isSecureContext ? 'no-microphone' : 'insecure');
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
      });
    } catch (error) {
      throw new WebCallError(error.name === 'NotAllowedError' ? 'microphone-denied' : 'no-microphone');
    }
    const [track] = this.stream.getAudioTracks();
    if (this.isOver) return track.stop();
    track.addEventListener('ended', () => this.tell('problem', { code: 'no-microphone' }));
    this.recorder = new AudioWorkletNode(this.context, 'capture', { numberOfOutputs: 0 });
    this.recorder.port.addEventListener('message', ({ data }) => this.onHeard(data));
    this.recorder.port.start();
    this.context.createMediaStreamSource(this.stream).connect(this.recorder);
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
      else this.player?.port.postMessage(data, [data]);
    });
    socket.addEventListener('close', ({ code }) => this.onClosed(socket, code));
  }

  onMessage(message) {
    if (message.type === 'ready') this.lostAt = 0;
    if (message.type === 'clear') this.player?.port.postMessage('clear');
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
    this.tell('level', { who: 'assistant', level });
    if (performance.now() - this.lastPlayedAt < PLAYED_EVERY_MS) return;
    this.lastPlayedAt = performance.now();
    this.say({ type: 'played', ms: Math.round(playedMs) });
  }

  press(digit) {
    this.say({ type: 'key', digit });
  }

  /** @returns whether the words went out */
  type(text) {
    return this.say({ type: 'text', text });
  }

  mute(isMuted) {
    this.isMuted = isMuted;
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

  end(reason) {
    if (this.isOver) return;
    this.isOver = true;
    this.socket?.close(CLOSE_OVER);
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    void this.context?.close();
    this.tell('ended', { reason });
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
