import {
  AudioWaker,
  Microphone,
  openSpeaker,
  type Speaker,
  type WebCallNotice,
  type WebCallSound,
} from '#web/console/src/live/call-sound.js';

const WORKLETS = [
  new URL('../../../../../../talk/capture-worklet.js', import.meta.url).href,
  new URL('../../../../../../talk/playback-worklet.js', import.meta.url).href,
];

export const NO_SOUND: WebCallSound = { notice: null, microphones: [], microphone: '' };

interface Listener {
  /** 20 ms of the microphone. */
  onVoice(frame: ArrayBuffer): void;
  onChange(sound: WebCallSound): void;
}

/** What a person hears of a call, and says in it. */
export class DeskSound {
  isMuted = false;
  /** Plays the customer on both sides: people who talk would hear themselves late on the other one. */
  hearsCustomerOnly = false;
  private readonly context = new AudioContext();
  private readonly waker = new AudioWaker(this.context, () => this.changed());
  private speaker: Speaker | null = null;
  private microphone: Microphone | null = null;
  private isClosed = false;

  constructor(private readonly listener: Listener) {}

  /** Without secure origin there is nothing to hear, and the turns can still be read. */
  async open(): Promise<void> {
    const { worklet } = this;
    if (!worklet) return this.changed();
    await Promise.all(WORKLETS.map((address) => worklet.addModule(address)));
    if (this.isClosed) return;
    this.speaker = openSpeaker(this.context, () => undefined, { channels: 2, isLive: true });
  }

  play(frame: ArrayBuffer): void {
    if (this.hearsCustomerOnly) {
      const samples = new Int16Array(frame);
      for (let at = 1; at < samples.length; at += 2) samples[at] = samples[at - 1] ?? 0;
    }
    this.speaker?.play(frame);
  }

  /** @returns why there is no microphone; null when there is one */
  async openMicrophone(): Promise<WebCallNotice | null> {
    if (!this.speaker) return 'insecure';
    this.closeMicrophone();
    const microphone = new Microphone(this.context, {
      onSound: ({ frame }) => this.listener.onVoice(this.isMuted ? new ArrayBuffer(frame.byteLength) : frame),
      onChange: () => this.changed(),
    });
    this.microphone = microphone;
    await microphone.open();
    const { problem } = microphone;
    if (problem) this.closeMicrophone();
    return problem;
  }

  closeMicrophone(): void {
    this.microphone?.close();
    this.microphone = null;
    this.isMuted = false;
    this.changed();
  }

  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
    this.changed();
  }

  /** Lets the sound run again, and looks for a microphone. To be called by a click. */
  retry(): void {
    this.waker.wake();
    if (this.microphone?.canRetry) void this.microphone.retry();
  }

  choose(microphone: string): void {
    void this.microphone?.choose(microphone);
  }

  close(): void {
    this.isClosed = true;
    this.waker.close();
    this.microphone?.close();
    this.speaker?.close();
    void this.context.close();
  }

  /** Browsers have none on plain HTTP. */
  private get worklet(): AudioWorklet | undefined {
    return this.context.audioWorklet;
  }

  private changed(): void {
    if (this.isClosed) return;
    this.listener.onChange({
      notice: this.notice(),
      microphones: this.microphone?.choices ?? [],
      microphone: this.microphone?.current ?? '',
    });
  }

  private notice(): WebCallNotice | null {
    if (!this.worklet) return 'insecure';
    if (this.waker.isPaused) return 'sound-paused';
    const notice = this.microphone?.notice ?? null;
    return this.isMuted && notice === 'microphone-silent' ? null : notice;
  }
}
