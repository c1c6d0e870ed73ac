// The microphone of one call: the one that the person chose, or the system's, and another one when it is gone.
import {
  choosable,
  findChosen,
  isOtherSystem,
  keepChoice,
  listMicrophones,
  readChoice,
} from './microphone-choice.js';

const AUDIO = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
/** Below half a step of 16 bits: a quiet room is louder, a muted microphone is not. */
const DIGITAL_SILENCE = 1e-5;
/** Five seconds of frames of 20 ms. Counted in frames, as none come while the sound is suspended. */
const SILENT_FRAMES = 250;
const EVENT_SHOWN_MS = 8_000;

class MicrophoneError extends Error {
  /** @param {'no-microphone' | 'microphone-denied'} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

export class Microphone {
  /**
   * @param {AudioContext} context with the worklet `capture`
   * @param {{ onSound: (sound: { frame: ArrayBuffer, level: number }) => void, onChange: () => void }} listener `onChange` is
   * called when `notice`, `choices` or `current` may have changed
   */
  constructor(context, { onSound, onChange }) {
    this.context = context;
    this.onSound = onSound;
    this.onChange = onChange;
    this.stream = null;
    this.source = null;
    this.recorder = null;
    this.microphones = [];
    /** Why there is no microphone. */
    this.problem = null;
    this.isMutedBySystem = false;
    this.silentFrames = 0;
    /** `microphone-busy` or `microphone-replaced`, for a moment. */
    this.event = null;
    this.listeners = new AbortController();
    this.work = Promise.resolve();
  }

  /** @returns {import('../web-call').WebCallNotice | null} */
  get notice() {
    if (this.problem) return this.problem;
    if (this.isMutedBySystem || this.silentFrames >= SILENT_FRAMES) return 'microphone-silent';
    return this.event;
  }

  /** Whether asking for a microphone anew may help. */
  get canRetry() {
    return this.notice !== this.event;
  }

  /** What can be chosen from, where there is a choice. */
  get choices() {
    const choices = choosable(this.microphones);
    return choices.length > 1 ? choices.map(({ deviceId, label }) => ({ id: deviceId, label })) : [];
  }

  /** The id of the choice that is heard; empty for the system's microphone. */
  get current() {
    const { id } = this;
    return this.choices.some((choice) => choice.id === id) ? id : '';
  }

  /** Never rejects: `problem` says why there is no microphone. */
  open() {
    const { mediaDevices } = navigator;
    if (!mediaDevices?.getUserMedia) {
      this.problem = window.isSecureContext ? 'no-microphone' : 'insecure';
      return Promise.resolve();
    }
    mediaDevices.addEventListener('devicechange', () => void this.devicesChanged(), {
      signal: this.listeners.signal,
    });
    return this.retry();
  }

  /** Asks for a microphone anew. */
  retry() {
    return this.inTurn(() => this.reopen());
  }

  /** @param {string} id of a choice; empty: the system's microphone */
  choose(id) {
    return this.inTurn(async () => {
      const chosen = choosable(this.microphones).find(({ deviceId }) => deviceId === id) ?? null;
      const open = () => this.use(chosen ? id : '');
      try {
        await open().catch(() => {
          // Some systems open one microphone at a time.
          this.drop();
          return open();
        });
        keepChoice(chosen);
        this.say(null);
      } catch {
        await this.reopen('microphone-busy');
      }
    });
  }

  close() {
    this.listeners.abort();
    clearTimeout(this.eventTimer);
    this.drop();
    this.recorder?.disconnect();
    this.recorder?.port.close();
  }

  get isClosed() {
    return this.listeners.signal.aborted;
  }

  /** Of the device that is heard. */
  get id() {
    return this.stream?.getAudioTracks()[0]?.getSettings().deviceId ?? '';
  }

  /** One change at a time: getUserMedia may ask the person, and takes as long. */
  inTurn(change) {
    this.work = this.work.then(async () => {
      if (this.isClosed) return;
      await change();
      if (!this.isClosed) this.onChange();
    });
    return this.work;
  }

  /** The chosen microphone, or the system's. @param event what is said if there is one */
  async reopen(event = null) {
    try {
      await this.useChosen();
      this.say(event);
    } catch (error) {
      this.drop();
      this.problem = error instanceof MicrophoneError ? error.code : 'no-microphone';
    }
  }

  async useChosen() {
    const chosen = findChosen(await listMicrophones());
    const id = chosen?.deviceId ?? readChoice()?.id ?? '';
    try {
      await this.use(id);
    } catch (error) {
      if (id === '' || error.code === 'microphone-denied') throw error;
      await this.use('');
      // Names are known only once the person has agreed.
      const named = findChosen(this.microphones);
      if (named && !chosen) await this.tryToUse(named.deviceId);
    }
  }

  /** The previous one continues if the other is unavailable. */
  tryToUse(id) {
    return this.use(id).catch(() => {});
  }

  /**
   * * Switches to another device. The previous one continues until the new one is ready.
   *
   * @param {string} id empty: the system's
   * @throws MicrophoneError
   */
  async use(id) {
    const stream = await requestMicrophone(id);
    if (this.isClosed) return stopTracks(stream);
    const source = this.connect(stream);
    this.drop();
    this.stream = stream;
    this.source = source;
    this.problem = null;
    this.listenTo(stream);
    this.microphones = await listMicrophones();
  }

  connect(stream) {
    try {
      const source = this.context.createMediaStreamSource(stream);
      source.connect(this.openRecorder());
      return source;
    } catch {
      // Firefox joins no microphone to a context of another rate.
      stopTracks(stream);
      throw new MicrophoneError('no-microphone');
    }
  }

  openRecorder() {
    if (this.recorder) return this.recorder;
    this.recorder = new AudioWorkletNode(this.context, 'capture', { numberOfOutputs: 0 });
    this.recorder.port.addEventListener('message', ({ data }) => this.heard(data));
    this.recorder.port.start();
    return this.recorder;
  }

  listenTo(stream) {
    const [track] = stream.getAudioTracks();
    this.isMutedBySystem = track.muted;
    for (const type of ['mute', 'unmute', 'ended'])
      track.addEventListener(type, () => stream === this.stream && this.trackChanged(stream, type));
  }

  trackChanged(stream, type) {
    if (type === 'ended')
      return this.inTurn(() => stream === this.stream && this.reopen('microphone-replaced'));
    this.isMutedBySystem = type === 'mute';
    this.onChange();
  }

  heard(sound) {
    if (this.isClosed) return;
    const wasSilent = this.silentFrames >= SILENT_FRAMES;
    this.silentFrames = sound.level < DIGITAL_SILENCE ? this.silentFrames + 1 : 0;
    if (wasSilent !== this.silentFrames >= SILENT_FRAMES) this.onChange();
    this.onSound(sound);
  }

  devicesChanged() {
    return this.inTurn(async () => {
      const before = this.microphones;
      this.microphones = await listMicrophones();
      if (this.problem === 'microphone-denied') return;
      if (this.isGone(before)) return this.reopen(this.stream && 'microphone-replaced');
      const chosen = findChosen(this.microphones);
      const isNew = chosen ? !findChosen(before) : isOtherSystem(before, this.microphones);
      if (isNew) await this.tryToUse(chosen?.deviceId ?? '');
    });
  }

  /** Some browsers report a device that was unplugged, and no end of its track. */
  isGone(before) {
    const [track] = this.stream?.getAudioTracks() ?? [];
    if (!track || track.readyState === 'ended') return true;
    const isIn = (microphones) => microphones.some(({ deviceId }) => deviceId === this.id);
    return isIn(before) && !isIn(this.microphones);
  }

  say(event) {
    clearTimeout(this.eventTimer);
    this.event = event;
    if (!event || this.isClosed) return;
    this.eventTimer = setTimeout(() => {
      this.event = null;
      this.onChange();
    }, EVENT_SHOWN_MS);
  }

  drop() {
    this.source?.disconnect();
    this.source = null;
    if (this.stream) stopTracks(this.stream);
    this.stream = null;
    this.isMutedBySystem = false;
    this.silentFrames = 0;
  }
}

async function requestMicrophone(id) {
  const audio = { ...AUDIO, ...(id !== '' && { deviceId: { exact: id } }) };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    throw new MicrophoneError(error.name === 'NotAllowedError' ? 'microphone-denied' : 'no-microphone');
  }
}

function stopTracks(stream) {
  for (const track of stream.getTracks()) track.stop();
}
