/** What a browser gives a page for sound, as far as a call uses it. */

export interface FakeMicrophone {
  readonly deviceId: string;
  readonly label: string;
  readonly groupId: string;
}

export const microphone = (deviceId: string, label = deviceId, groupId = label): FakeMicrophone => ({
  deviceId,
  label,
  groupId,
});

/** What Chrome lists for a computer with these: an entry for the system's choice, the first of them, and the devices. */
export const asChrome = (...microphones: readonly FakeMicrophone[]): FakeMicrophone[] => {
  const [first] = microphones;
  return first ? [{ ...first, deviceId: 'default', label: `Default - ${first.label}` }, ...microphones] : [];
};

class FakeTrack extends EventTarget {
  readyState: 'live' | 'ended' = 'live';
  muted = false;

  constructor(readonly deviceId: string) {
    super();
  }

  getSettings() {
    return { deviceId: this.deviceId };
  }

  /** As by the page: browsers fire no event. */
  stop(): void {
    this.readyState = 'ended';
  }

  /** As by the system. */
  end(): void {
    this.readyState = 'ended';
    this.dispatchEvent(new Event('ended'));
  }

  becomeMuted(isMuted: boolean): void {
    this.muted = isMuted;
    this.dispatchEvent(new Event(isMuted ? 'mute' : 'unmute'));
  }
}

interface AudioConstraints {
  readonly deviceId?: { readonly exact: string };
}

export class FakeMediaDevices extends EventTarget {
  readonly tracks: FakeTrack[] = [];
  readonly requests: AudioConstraints[] = [];
  /** The name of the error that a device fails with; the empty id is any. */
  readonly failing = new Map<string, string>();
  /** Until the person has agreed, as browsers do where they do not remember that. */
  hidesNames = false;
  /** Only one can be open at a time. */
  isExclusive = false;

  constructor(public microphones: readonly FakeMicrophone[]) {
    super();
  }

  /** The one that is heard. */
  get track(): FakeTrack {
    return this.tracks.at(-1)!;
  }

  get live(): readonly string[] {
    return this.tracks.filter(({ readyState }) => readyState === 'live').map(({ deviceId }) => deviceId);
  }

  plug(...microphones: readonly FakeMicrophone[]): void {
    this.microphones = microphones;
    this.dispatchEvent(new Event('devicechange'));
  }

  async enumerateDevices() {
    return [
      { kind: 'audiooutput', deviceId: 'loud', label: 'Loud', groupId: 'loud' },
      ...this.microphones.map((each) => ({
        kind: 'audioinput',
        ...(this.hidesNames && this.tracks.length === 0 ? microphone('', '', '') : each),
      })),
    ];
  }

  async getUserMedia({ audio }: { audio: AudioConstraints }) {
    this.requests.push(audio);
    const deviceId = audio.deviceId?.exact ?? this.microphones[0]?.deviceId ?? '';
    const failure = this.failing.get('') ?? this.failing.get(deviceId);
    if (failure) throw new DOMException('no', failure);
    const isThere = this.microphones.some((each) => each.deviceId === deviceId);
    if (!isThere) throw new DOMException('no', audio.deviceId ? 'OverconstrainedError' : 'NotFoundError');
    if (this.isExclusive && this.live.length > 0) throw new DOMException('no', 'NotReadableError');
    const track = new FakeTrack(deviceId);
    this.tracks.push(track);
    return { getTracks: () => [track], getAudioTracks: () => [track] };
  }
}

export class FakeNode {
  readonly sent: unknown[] = [];
  readonly port = Object.assign(new EventTarget(), {
    isOpen: true,
    start() {},
    close: () => (this.port.isOpen = false),
    postMessage: (message: unknown) => this.sent.push(message),
  });
  target: unknown = null;

  constructor(readonly name = '') {}

  connect(target: unknown): void {
    this.target = target;
  }

  disconnect(): void {
    this.target = null;
  }

  /** A message of its worklet. */
  posts(data: unknown): void {
    this.port.dispatchEvent(new MessageEvent('message', { data }));
  }
}

export class FakeAudioContext extends EventTarget {
  static last: FakeAudioContext;
  readonly nodes: FakeNode[] = [];
  readonly destination = {};
  readonly audioWorklet = { addModule: async () => {} };
  state: 'suspended' | 'interrupted' | 'running' | 'closed' = 'suspended';
  /** As iOS does while a telephone call goes on. */
  refuses = false;
  resumes = 0;

  constructor() {
    super();
    FakeAudioContext.last = this;
  }

  async resume(): Promise<void> {
    this.resumes++;
    if (this.refuses) throw new DOMException('no', 'InvalidStateError');
    this.becomes('running');
  }

  async close(): Promise<void> {
    this.becomes('closed');
  }

  becomes(state: FakeAudioContext['state']): void {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }

  createMediaStreamSource(): FakeNode {
    const source = new FakeNode('microphone');
    this.nodes.push(source);
    return source;
  }

  node(name: string): FakeNode {
    return this.nodes.findLast((each) => each.name === name)!;
  }
}

class FakeAudioWorkletNode extends FakeNode {
  constructor(context: FakeAudioContext, name: string) {
    super(name);
    context.nodes.push(this);
  }
}

export class FakeWebSocket extends EventTarget {
  static readonly OPEN = 1;
  static last: FakeWebSocket;
  readonly sent: unknown[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    FakeWebSocket.last = this;
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.readyState = 3;
  }

  opens(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  receives(data: object | ArrayBuffer): void {
    const isFrame = data instanceof ArrayBuffer;
    this.dispatchEvent(new MessageEvent('message', { data: isFrame ? data : JSON.stringify(data) }));
  }
}

export class FakeStorage {
  readonly values = new Map<string, string>();
  isForbidden = false;

  getItem(key: string): string | null {
    this.check();
    return this.values.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.check();
    this.values.set(key, value);
  }

  removeItem(key: string): void {
    this.check();
    this.values.delete(key);
  }

  private check(): void {
    if (this.isForbidden) throw new DOMException('no', 'SecurityError');
  }
}

const PAGE_CODE = '/web/talk/';

/** A page in which the scripts of `web/talk` run. */
export class PageSound {
  readonly storage = new FakeStorage();
  /** Those that the page has set. Other code of this process sets timers too, such as the reporter of the tests. */
  readonly timers = new Set<unknown>();
  readonly window = Object.assign(new EventTarget(), { isSecureContext: true });
  private readonly globals = new Map<string, PropertyDescriptor | undefined>();

  constructor(readonly devices: FakeMediaDevices) {
    this.set('window', this.window);
    this.set('navigator', { mediaDevices: devices });
    this.set('localStorage', this.storage);
    this.set('AudioContext', FakeAudioContext);
    this.set('AudioWorkletNode', FakeAudioWorkletNode);
    this.set('WebSocket', FakeWebSocket);
    this.watchTimers();
  }

  /** What a person does, or the browser to the page. */
  event(type: string): void {
    this.window.dispatchEvent(new Event(type));
  }

  close(): void {
    for (const [name, before] of this.globals) {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    }
  }

  private watchTimers(): void {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    const isOfPage = () => new Error().stack?.includes(PAGE_CODE) === true;
    const watched = <Timer>(timer: Timer): Timer => {
      if (isOfPage()) this.timers.add(timer);
      return timer;
    };
    this.set('setTimeout', (callback: () => void, ms?: number) => {
      const timer = watched(
        setTimeout(() => {
          this.timers.delete(timer);
          callback();
        }, ms),
      );
      return timer;
    });
    this.set('setInterval', (callback: () => void, ms?: number) => watched(setInterval(callback, ms)));
    for (const [name, clear] of Object.entries({ clearTimeout, clearInterval })) {
      this.set(name, (timer: NodeJS.Timeout) => {
        this.timers.delete(timer);
        clear(timer);
      });
    }
  }

  private set(name: string, value: unknown): void {
    this.globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  }
}
