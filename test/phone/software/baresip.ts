import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { makeCertificate, spoken } from '@prosa/testing';
import { until } from '../../support/until.js';
import { ForeignProcess } from './process.js';
import { RecordedEar } from './recorded-ear.js';
import { waveFile } from '../../support/voice/wave-file.js';

/** Where one baresip listens; its sound has eighty ports from `rtp` on. */
interface Ports {
  readonly sip: number;
  readonly control: number;
  readonly rtp: number;
}

const PORTS: Ports = { sip: 27_670, control: 27_644, rtp: 27_700 };
/** Ports of a second telephone. */
const OTHER_PORTS: Ports = { sip: 27_680, control: 27_645, rtp: 27_900 };

/** What baresip plays into each call, in hertz. */
export const BARESIP_TONE = 600;
/** And where it talks in wide band alone: what no telephone of narrow band carries. */
export const BARESIP_WIDE_TONE = 6_000;

/** The certificate of every baresip here, for callers over TLS. */
export const BARESIP_CERTIFICATE = makeCertificate();

/** What it talks in, and nothing else. */
interface Band {
  readonly rateHz: number;
  readonly codecs: string;
  /** Of what it keeps. */
  readonly channels: number;
}

const NARROW: Band = { rateHz: 8_000, codecs: 'PCMU/8000/1,PCMA/8000/1', channels: 1 };
const WIDE = {
  G722: { rateHz: 16_000, codecs: 'G722/16000/1', channels: 1 },
  OPUS: { rateHz: 48_000, codecs: 'opus/48000/2', channels: 2 },
} as const satisfies Record<string, Band>;
export type WideCodec = keyof typeof WIDE;

interface Setup {
  /** Keeps what it hears for `ear`. */
  readonly keepsHeard?: boolean;
  readonly ports?: Ports;
  readonly answers?: 'auto' | 'manual';
  readonly encryption?: string;
  readonly band?: Band;
}

/** Longer than any call here: baresip hangs up at the end of what it plays. */
const SILENCE_SECONDS = 240;

interface BaresipEvent {
  readonly type?: string;
  readonly param?: string;
  readonly accountaor?: string;
}

/** baresip as a telephone that answers by itself, on UDP, TCP and TLS. */
export class Baresip {
  readonly sipPort: number;
  readonly tlsPort: number;
  /** Events of its control interface, oldest first. */
  readonly events: BaresipEvent[] = [];

  private lines = 0;

  private constructor(
    readonly process: ForeignProcess,
    private readonly control: Socket,
    ports: Ports,
    private readonly band: Band,
  ) {
    this.sipPort = ports.sip;
    this.tlsPort = ports.sip + 1;
  }

  /** As `startTelephone`, but it talks encrypted alone. */
  static startSecureTelephone(numbers: readonly string[]): Promise<Baresip> {
    return Baresip.launch(numbers, silence, { keepsHeard: true, encryption: 'srtp-mand' });
  }

  /** As `startTelephone`, but it talks in G.722 or in Opus alone. */
  static startWidebandTelephone(numbers: readonly string[], codec: WideCodec): Promise<Baresip> {
    return Baresip.launch(numbers, silence, { keepsHeard: true, band: WIDE[codec] });
  }

  /** Answers calls to `bob`, and plays a tone into them. */
  static start(): Promise<Baresip> {
    return Baresip.launch(['bob'], (rateHz) => tone(120, rateHz));
  }

  /** As `start`, in G.722 or in Opus alone, and with an `ear`. */
  static startWideband(codec: WideCodec): Promise<Baresip> {
    const sound = (rateHz: number) => tone(120, rateHz, BARESIP_WIDE_TONE);
    return Baresip.launch(['bob'], sound, { keepsHeard: true, band: WIDE[codec] });
  }

  /** Answers calls to these numbers, says nothing by itself, and keeps what it hears for `ear`. */
  static startTelephone(numbers: readonly string[]): Promise<Baresip> {
    return Baresip.launch(numbers, silence, { keepsHeard: true });
  }

  /** A second telephone of the same kind; or one that rings until the test accepts the call. */
  static startOtherTelephone(
    numbers: readonly string[],
    answers: 'auto' | 'manual' = 'auto',
  ): Promise<Baresip> {
    return Baresip.launch(numbers, silence, { keepsHeard: true, ports: OTHER_PORTS, answers });
  }

  private static async launch(
    users: readonly string[],
    sound: (rateHz: number) => Int16Array,
    setup: Setup = {},
  ): Promise<Baresip> {
    const { ports = PORTS, band = NARROW } = setup;
    const folder = ForeignProcess.makeFolder('baresip');
    const { key, cert } = BARESIP_CERTIFICATE;
    writeFileSync(join(folder, 'both.pem'), [key, cert].map(String).join('\n'));
    writeFileSync(join(folder, 'say.wav'), waveFile(sound(band.rateHz), band.rateHz));
    const accounts = users.map((user) => accountOf(user, ports, setup));
    writeFileSync(join(folder, 'accounts'), accounts.join(''));
    writeFileSync(join(folder, 'contacts'), '');
    writeFileSync(
      join(folder, 'config'),
      configOf(folder, ports, band) + (setup.keepsHeard ? KEEPS_HEARD : ''),
    );
    const process = ForeignProcess.start('baresip', ['-f', folder], folder);
    const control = await connectWhenReady(ports);
    const baresip = new Baresip(process, control, ports, band);
    baresip.read();
    return baresip;
  }

  /** Says a line into the call, in a voice of espeak-ng. */
  async say(text: string): Promise<void> {
    const words = await spoken(text, this.band.rateHz);
    const samples = new Int16Array(words.length + SILENCE_SECONDS * this.band.rateHz);
    samples.set(words);
    const path = join(this.process.folder, `line-${++this.lines}.wav`);
    writeFileSync(path, waveFile(samples, this.band.rateHz));
    this.command('ausrc', `aufile,${path}`);
  }

  /** Plays a tone into the call, until it says something else. */
  hum(hertz: number): void {
    const path = join(this.process.folder, `hum-${hertz}.wav`);
    writeFileSync(path, waveFile(tone(60, this.band.rateHz, hertz), this.band.rateHz));
    this.command('ausrc', `aufile,${path}`);
  }

  /** What it hears of the call that began last; only of one started as a telephone. */
  ear(): RecordedEar {
    return new RecordedEar(this.process.folder, this.band.rateHz, this.band.channels);
  }

  command(command: string, params = ''): void {
    const text = JSON.stringify({ command, params });
    this.control.write(`${Buffer.byteLength(text)}:${text},`);
  }

  /** The next event of a type, taken off the list; `of` a number, where several are here. */
  async event(type: string, timeoutMs = 6_000, of = ''): Promise<BaresipEvent> {
    const isWanted = (event: BaresipEvent) => event.type === type && (event.accountaor ?? '').includes(of);
    await until(() => this.events.some(isWanted), timeoutMs).catch(() => {
      throw new Error(`baresip tells of no ${type} ${of}within ${timeoutMs} ms`);
    });
    const [found] = this.events.splice(this.events.findIndex(isWanted), 1);
    return found!;
  }

  async stop(): Promise<void> {
    this.control.destroy();
    await this.process.stop();
  }

  /** Netstrings of JSON. */
  private read(): void {
    let pending = Buffer.alloc(0);
    this.control.on('error', () => {});
    this.control.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes]);
      for (;;) {
        const colon = pending.indexOf(':');
        const length = Number(pending.toString('latin1', 0, Math.max(colon, 0)));
        if (colon < 0 || pending.length < colon + length + 2) return;
        const text = pending.toString('utf8', colon + 1, colon + 1 + length);
        pending = pending.subarray(colon + length + 2);
        this.events.push(JSON.parse(text) as BaresipEvent);
      }
    });
  }
}

async function connectWhenReady({ control }: Ports): Promise<Socket> {
  let socket: Socket | null = null;
  await until(async () => {
    const tried = connect(control, '127.0.0.1');
    const connected = await once(tried, 'connect').then(
      () => true,
      () => false,
    );
    if (connected) socket = tried;
    return connected;
  });
  return socket!;
}

function accountOf(user: string, { sip }: Ports, setup: Setup): string {
  const { answers = 'auto', band = NARROW, encryption } = setup;
  return (
    `<sip:${user}@127.0.0.1:${sip}>;regint=0;answermode=${answers};` +
    `audio_codecs=${band.codecs};dtmfmode=rtpevent` +
    (encryption === undefined ? '\n' : `;mediaenc=${encryption}\n`)
  );
}

const KEEPS_HEARD = 'module sndfile.so\n';

function configOf(folder: string, { sip, control, rtp }: Ports, { rateHz }: Band): string {
  return `poll_method epoll
sip_listen 127.0.0.1:${sip}
sip_certificate ${folder}/both.pem
call_local_timeout 120
call_max_calls 4
audio_player aubridge,nil
audio_source aufile,${folder}/say.wav
audio_alert aubridge,nil
ausrc_srate ${rateHz}
auplay_srate ${rateHz}
ausrc_channels 1
auplay_channels 1
audio_buffer 20-160
rtp_ports ${rtp}-${rtp + 80}
jitter_buffer_delay 5-10
module_path /usr/lib/baresip/modules
module g711.so
module g722.so
module opus.so
module srtp.so
module aufile.so
module aubridge.so
module_tmp uuid.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${control}
snd_path ${folder}
`;
}

function silence(rateHz: number): Int16Array {
  return new Int16Array(SILENCE_SECONDS * rateHz);
}

function tone(seconds: number, rateHz: number, hertz = BARESIP_TONE): Int16Array {
  return Int16Array.from({ length: seconds * rateHz }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / rateHz)),
  );
}
