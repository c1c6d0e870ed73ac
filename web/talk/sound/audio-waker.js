// Keeps the sound of a page running. Systems suspend it: iOS for a telephone call, others for a locked screen or another page.

/** Browsers let sound run again when the person does something, or the page comes back. */
const WAKING_EVENTS = [
  'pointerdown',
  'touchend',
  'click',
  'keydown',
  'focus',
  'pageshow',
  'visibilitychange',
];
/** How often a suspended context is resumed. One that runs again sooner is not reported. */
const RETRY_MS = 500;

/** Resumes an AudioContext whenever it does not run. */
export class AudioWaker {
  /**
   * @param {AudioContext} context
   * @param {() => void} onChange called when `isPaused` changes
   */
  constructor(context, onChange) {
    this.context = context;
    this.onChange = onChange;
    /** The context has not run for a moment, and nothing is heard or sent. */
    this.isPaused = false;
    this.timer = null;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    context.addEventListener('statechange', () => this.check(), { signal });
    for (const type of WAKING_EVENTS)
      window.addEventListener(type, () => this.wake(), { signal, capture: true });
    this.check();
  }

  /** Best called within a click: browsers may refuse otherwise. */
  wake() {
    if (this.context.state === 'running') return;
    // A refusal needs no answer: the timer and the next touch try again.
    this.context.resume().then(
      () => this.check(),
      () => {},
    );
  }

  close() {
    this.listeners.abort();
    this.stop();
  }

  check() {
    if (this.listeners.signal.aborted) return;
    if (this.context.state === 'running') {
      this.stop();
      this.set(false);
    } else if (this.timer === null) {
      this.timer = setInterval(() => {
        this.wake();
        this.set(true);
      }, RETRY_MS);
      this.wake();
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  set(isPaused) {
    if (isPaused === this.isPaused) return;
    this.isPaused = isPaused;
    this.onChange();
  }
}
