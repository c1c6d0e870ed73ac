import { setImmediate as macrotask } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { WebCall as WebCallClass, WebCallSound } from '../../web/talk/web-call.js';
import {
  asChrome,
  FakeAudioContext,
  FakeMediaDevices,
  FakeWebSocket,
  microphone,
  PageSound,
} from '../support/page-sound.js';

const LAPTOP = microphone('laptop');
const HEADSET = microphone('headset');
const DESK = microphone('desk');
const KEY = 'prosa-microphone';
const FRAME_MS = 20;
const LOUD = 0.1;
/** The noise of a quiet room, and of a microphone that is muted. */
const QUIET = 0.00005;
const MUTED = 0;

describe('The sound of a call on a page', () => {
  let WebCall: typeof WebCallClass;
  let page: PageSound;
  let devices: FakeMediaDevices;
  let call: WebCallClass;
  let sounds: WebCallSound[];

  beforeAll(async () => {
    const { href } = new URL('../../web/talk/web-call.js', import.meta.url);
    ({ WebCall } = (await import(href)) as { WebCall: typeof WebCallClass });
  });
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    devices = new FakeMediaDevices(asChrome(LAPTOP));
    page = new PageSound(devices);
  });
  afterEach(() => {
    call?.end('test');
    page.close();
    jest.useRealTimers();
    expect(page.timers.size).toBe(0);
  });

  async function start(options: { needsMicrophone?: boolean } = {}): Promise<void> {
    sounds = [];
    call = new WebCall({
      open: async () => ({ url: 'ws://x', token: 't' }),
      worklets: ['capture', 'playback'],
      ...options,
    });
    call.addEventListener('sound', (event) => sounds.push((event as CustomEvent<WebCallSound>).detail));
    await call.start();
    FakeWebSocket.last.opens();
    FakeWebSocket.last.receives({ type: 'ready' });
  }
  const settled = async () => {
    for (let turn = 0; turn < 10; turn++) await macrotask();
  };
  const context = () => FakeAudioContext.last;
  const notice = () => sounds.at(-1)?.notice ?? null;
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const say = (level: number, ms = FRAME_MS) => {
    for (let frame = 0; frame < ms / FRAME_MS; frame++)
      context()
        .node('capture')
        .posts({ frame: new ArrayBuffer(960), level });
  };
  const framesSent = () => FakeWebSocket.last.sent.filter((data) => data instanceof ArrayBuffer).length;
  const messagesSent = (type: string) =>
    FakeWebSocket.last.sent.filter((data) => typeof data === 'string' && data.includes(type)).length;
  /** What the speaker was given. */
  const played = () => context().node('playback').sent;
  const hear = (frames: number) => {
    for (let frame = 0; frame < frames; frame++) FakeWebSocket.last.receives(new ArrayBuffer(960));
  };

  describe('that the system suspends', () => {
    it('runs again by itself, without a word, where the browser lets it', async () => {
      await start();
      context().becomes('suspended');
      await settled();
      expect(context().state).toBe('running');
      await pass(5_000);
      expect(sounds.map(({ notice }) => notice)).not.toContain('sound-paused');
    });

    it.each(['pointerdown', 'touchend', 'click', 'keydown', 'focus', 'pageshow', 'visibilitychange'])(
      'says so, and runs again at %s',
      async (type) => {
        await start();
        context().refuses = true;
        context().becomes('interrupted');
        await pass(600);
        expect(notice()).toBe('sound-paused');
        context().refuses = false;
        page.event(type);
        await settled();
        expect([context().state, notice()]).toEqual(['running', null]);
      },
    );

    it('runs again when the telephone call is over, also where nothing tells of that', async () => {
      await start();
      context().refuses = true;
      context().becomes('interrupted');
      await pass(60_000);
      context().refuses = false;
      await pass(600);
      expect([context().state, notice()]).toEqual(['running', null]);
    });

    it('keeps the connection, and plays nothing late of what came in that time', async () => {
      await start();
      hear(3);
      expect(played()).toHaveLength(3);
      context().refuses = true;
      context().becomes('suspended');
      for (let second = 0; second < 30; second++) {
        await pass(1_000);
        hear(50);
      }
      expect(played().slice(3)).toEqual(['clear']);
      expect(messagesSent('played')).toBeGreaterThanOrEqual(5);
      context().refuses = false;
      page.event('click');
      await settled();
      hear(2);
      expect(played()).toHaveLength(6);
    });

    it('does not keep the call from starting', async () => {
      jest.spyOn(FakeAudioContext.prototype, 'resume').mockReturnValue(new Promise(() => {}));
      await start();
      expect(FakeWebSocket.last.sent).toHaveLength(1);
      await pass(600);
      expect(notice()).toBe('sound-paused');
      jest.restoreAllMocks();
    });
  });

  it('plays nothing late of what came while the whole page was frozen', async () => {
    await start();
    hear(2);
    context().node('playback').posts({ level: 0, playedMs: 40 });
    jest.setSystemTime(Date.now() + 20_000);
    hear(500);
    context().node('playback').posts({ level: 0, playedMs: 60 });
    hear(400);
    expect(played().slice(2)).toEqual(['clear']);
    await pass(600);
    hear(2);
    expect(played()).toHaveLength(5);
  });

  describe('whose microphone is gone', () => {
    it('takes the system’s, says so for a moment, and goes on', async () => {
      devices.microphones = asChrome(HEADSET, LAPTOP);
      await start();
      devices.microphones = asChrome(LAPTOP);
      devices.track.end();
      await settled();
      expect([notice(), devices.live]).toEqual(['microphone-replaced', ['default']]);
      say(LOUD);
      expect(framesSent()).toBe(1);
      await pass(10_000);
      expect(notice()).toBeNull();
    });

    it('notices where the browser reports the device alone, and no end', async () => {
      devices.microphones = [HEADSET, LAPTOP];
      await start();
      expect(devices.live).toEqual(['headset']);
      devices.plug(LAPTOP);
      await settled();
      expect([notice(), devices.live]).toEqual(['microphone-replaced', ['laptop']]);
    });

    it('says that there is none, and takes one as soon as it is connected', async () => {
      await start();
      devices.plug();
      devices.track.end();
      await settled();
      expect([notice(), devices.live, call.isOver]).toEqual(['no-microphone', [], false]);
      call.retrySound();
      await settled();
      expect(notice()).toBe('no-microphone');
      devices.plug(...asChrome(HEADSET));
      await settled();
      expect([notice(), devices.live]).toEqual([null, ['default']]);
    });

    it('tries again when asked to, and does not ask by itself a person who has refused', async () => {
      await start();
      devices.failing.set('', 'NotAllowedError');
      devices.track.end();
      await settled();
      const { length } = devices.requests;
      devices.plug(...asChrome(LAPTOP, HEADSET));
      await settled();
      expect([notice(), devices.requests.length]).toEqual(['microphone-denied', length]);
      devices.failing.clear();
      call.retrySound();
      await settled();
      expect([notice(), devices.live]).toEqual([null, ['default']]);
    });

    it('says so where the system mutes it, until it does not', async () => {
      await start();
      devices.track.becomeMuted(true);
      expect(notice()).toBe('microphone-silent');
      devices.track.becomeMuted(false);
      expect(notice()).toBeNull();
    });

    it('takes no notice of a microphone that is not heard any more', async () => {
      devices.microphones = asChrome(LAPTOP, HEADSET);
      await start();
      const { track } = devices;
      call.chooseMicrophone('headset');
      await settled();
      track.becomeMuted(true);
      track.end();
      await settled();
      expect([notice(), devices.live]).toEqual([null, ['headset']]);
    });
  });

  describe('whose microphone is muted', () => {
    it('says so after five seconds of digital silence, until something is heard', async () => {
      await start();
      say(LOUD, 1_000);
      say(MUTED, 4_900);
      expect(notice()).toBeNull();
      say(MUTED, 100);
      expect(notice()).toBe('microphone-silent');
      say(QUIET);
      expect(notice()).toBeNull();
    });

    it('says nothing of a quiet room, nor of one who has muted themselves', async () => {
      await start();
      say(QUIET, 30_000);
      expect(notice()).toBeNull();
      call.mute(true);
      say(MUTED, 10_000);
      expect(notice()).toBeNull();
      call.mute(false);
      expect(notice()).toBe('microphone-silent');
    });
  });

  describe('with several microphones', () => {
    beforeEach(() => {
      devices.microphones = asChrome(LAPTOP, HEADSET, DESK);
    });
    const stored = () => page.storage.values.get(KEY);

    it('offers the choice, but none where there is one alone', async () => {
      await start();
      expect(sounds.at(-1)).toMatchObject({
        microphones: [
          { id: 'laptop', label: 'laptop' },
          { id: 'headset', label: 'headset' },
          { id: 'desk', label: 'desk' },
        ],
        microphone: '',
      });
      call.end('test');
      devices.microphones = asChrome(LAPTOP);
      await start();
      expect(sounds.at(-1)?.microphones).toEqual([]);
    });

    it('remembers the chosen one for later calls, and forgets it for the system’s', async () => {
      await start();
      call.chooseMicrophone('desk');
      await settled();
      expect([devices.live, sounds.at(-1)?.microphone]).toEqual([['desk'], 'desk']);
      call.end('test');
      await start();
      expect(devices.live).toEqual(['desk']);
      call.chooseMicrophone('');
      await settled();
      expect([devices.live, stored()]).toEqual([['default'], undefined]);
    });

    it('knows the chosen one by its name where browsers give it another id', async () => {
      await start();
      call.chooseMicrophone('desk');
      await settled();
      call.end('test');
      devices.microphones = asChrome(LAPTOP, HEADSET, microphone('desk-of-today', 'desk'));
      await start();
      expect(devices.live).toEqual(['desk-of-today']);
    });

    it('knows it by its name also where names are hidden until the person has agreed', async () => {
      page.storage.values.set(KEY, JSON.stringify({ id: 'desk-of-yesterday', label: 'desk' }));
      devices.hidesNames = true;
      await start();
      expect([notice(), devices.live]).toEqual([null, ['desk']]);
    });

    it('remembers it for the page alone where nothing may be stored', async () => {
      page.storage.isForbidden = true;
      await start();
      call.chooseMicrophone('headset');
      await settled();
      call.end('test');
      await start();
      expect([notice(), devices.live]).toEqual([null, ['headset']]);
      page.storage.isForbidden = false;
      call.chooseMicrophone('');
      await settled();
    });

    it.each(['nonsense', '{"id":7}', '[]', 'null', '{"id":""}'])(
      'takes the system’s where %s is stored',
      async (text) => {
        page.storage.values.set(KEY, text);
        await start();
        expect(devices.live).toEqual(['default']);
      },
    );

    it('takes the system’s while the chosen one is away, and the chosen one when it is back', async () => {
      page.storage.values.set(KEY, JSON.stringify({ id: 'desk', label: 'desk' }));
      devices.microphones = asChrome(LAPTOP, HEADSET);
      await start();
      expect(devices.live).toEqual(['default']);
      devices.plug(...asChrome(LAPTOP, HEADSET, DESK));
      await settled();
      expect(devices.live).toEqual(['desk']);
      // The system's own choice is of no interest to who has chosen.
      devices.plug(...asChrome(HEADSET, LAPTOP, DESK));
      await settled();
      expect(devices.live).toEqual(['desk']);
      devices.microphones = asChrome(HEADSET, LAPTOP);
      devices.track.end();
      await settled();
      expect([notice(), devices.live]).toEqual(['microphone-replaced', ['default']]);
    });

    it('takes the system’s where the chosen one cannot be opened', async () => {
      page.storage.values.set(KEY, JSON.stringify({ id: 'desk', label: 'desk' }));
      devices.failing.set('desk', 'NotReadableError');
      await start();
      expect([notice(), devices.live]).toEqual([null, ['default']]);
    });

    it('stays with the one before where another app has the chosen one, and says so', async () => {
      await start();
      devices.failing.set('headset', 'NotReadableError');
      call.chooseMicrophone('headset');
      await settled();
      expect([notice(), devices.live, sounds.at(-1)?.microphone, stored()]).toEqual([
        'microphone-busy',
        ['default'],
        '',
        undefined,
      ]);
    });

    it('changes on systems that open one at a time', async () => {
      await start();
      devices.isExclusive = true;
      call.chooseMicrophone('headset');
      await settled();
      expect([notice(), devices.live]).toEqual([null, ['headset']]);
    });

    it('follows the system to a headset that is plugged in', async () => {
      devices.microphones = asChrome(LAPTOP);
      await start();
      devices.plug(...asChrome(HEADSET, LAPTOP));
      await settled();
      expect(devices.tracks).toHaveLength(2);
      expect([notice(), devices.live]).toEqual([null, ['default']]);
      // Neither a speaker nor a microphone that the system does not use changes anything.
      devices.plug(...asChrome(HEADSET, LAPTOP, DESK));
      await settled();
      expect(devices.tracks).toHaveLength(2);
    });
  });

  it('begins without a microphone where words may be typed, and says why there is none', async () => {
    devices.failing.set('', 'NotAllowedError');
    await start();
    expect(notice()).toBe('microphone-denied');
    call.end('test');
    const other = new WebCall({
      open: async () => ({ url: '', token: '' }),
      worklets: [],
      needsMicrophone: true,
    });
    await expect(other.start()).rejects.toMatchObject({ code: 'microphone-denied' });
    other.end('failed');
  });

  it('releases all at the end of the call, also what comes after it', async () => {
    await start();
    const { track } = devices;
    let allow = (_value: unknown) => {};
    const asked = new Promise((resolve) => (allow = resolve));
    const get = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (constraints) => {
      await asked;
      return get(constraints);
    };
    call.retrySound();
    track.end();
    await settled();
    call.hangUp();
    allow(null);
    await settled();
    expect(devices.live).toEqual([]);
    expect(context().state).toBe('closed');
    for (const name of ['capture', 'playback', 'microphone']) expect(context().node(name).target).toBeNull();
    const { length } = sounds;
    devices.plug(...asChrome(HEADSET));
    page.event('click');
    await settled();
    expect([sounds.length, devices.live, context().state]).toEqual([length, [], 'closed']);
  });
});
