import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type FakeAnswer, refusal } from './fake-twilio-numbers.js';

/**
 * Twilio's calls as its documentation describes them, written without a look at the adapter.
 *
 * - resource, parameters and values of `status`: https://www.twilio.com/docs/voice/api/call-resource
 * - callbacks and their parameters: https://www.twilio.com/docs/voice/api/call-resource#statuscallback
 * - parameters of a call that comes in: https://www.twilio.com/docs/voice/twiml#request-parameters
 * - signatures: https://www.twilio.com/docs/usage/security#validating-requests; of streams as well:
 *   https://www.twilio.com/docs/global-infrastructure/firewall-configurations/media-streams-configuration
 * - `<Connect><Stream>`, `<Parameter>`, `<Reject>`: https://www.twilio.com/docs/voice/twiml/stream, …/reject
 * - `<Say>`: https://www.twilio.com/docs/voice/twiml/say
 * - `<Dial answerOnBridge>` and `<Number statusCallback>`: https://www.twilio.com/docs/voice/twiml/dial#answeronbridge,
 *   https://www.twilio.com/docs/voice/twiml/number#statuscallbackevent
 * - `<Play digits>`: https://www.twilio.com/docs/voice/twiml/play#digits
 * - a call that is given other TwiML: https://www.twilio.com/docs/voice/tutorials/how-to-modify-calls-in-progress
 * - asynchronous detection of machines: https://www.twilio.com/docs/voice/answering-machine-detection
 * - messages of the stream: https://www.twilio.com/docs/voice/media-streams/websocket-messages
 * - errors 21211 (invalid To), 20404: https://www.twilio.com/docs/api/errors/21211
 */

type Status =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'canceled' | 'failed';

const OVER = new Set<Status>(['completed', 'busy', 'no-answer', 'canceled', 'failed']);
/** How long it takes to say anything. */
const SAY_SECONDS = 2;
/** 20 ms of silence in G.711 mu-law. */
const SILENCE = Buffer.alloc(160, 0xff).toString('base64');

interface FakeCall {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly direction: 'outbound-api' | 'inbound';
  twiml: string;
  readonly callback: string | null;
  /** Where the detection of machines tells what it has heard; null where it was not asked for. */
  readonly detectionCallback: string | null;
  readonly events: readonly string[];
  status: Status;
  sequence: number;
  /** Once it is over, where a test looks at it. */
  durationSeconds: number | null;
  /** Null until it is answered, by `performance.now()`. */
  answeredAtMs: number | null;
  stream: WebSocket | null;
  /** Of the call that has dialled this one. */
  readonly parentSid?: string;
}

/** How the far end behaves, by the last two digits of its number. */
export const BEHAVIOURS = { busy: '01', noAnswer: '02', machine: '03', failing: '04' } as const;

/** Of far ends that a call is forwarded to. */
const UNANSWERED: ReadonlyMap<string, Status> = new Map([
  [BEHAVIOURS.busy, 'busy'],
  [BEHAVIOURS.noAnswer, 'no-answer'],
  [BEHAVIOURS.failing, 'failed'],
]);

export class FakeTwilioCalls {
  readonly calls = new Map<string, FakeCall>();
  /** Base64 payloads that came over streams, by call. */
  readonly heard = new Map<string, string[]>();
  /** What Twilio has said itself, by call. */
  readonly said = new Map<string, { readonly language: string; readonly text: string }>();
  /** What Twilio has dialled for calls that came in, by call. */
  readonly dialled = new Map<string, { readonly to: string; readonly callerId: string }>();
  /** Calls that came in whose voice URL answered an error: Twilio turns to the fallback URL of the number. */
  readonly leftToFallback = new Set<string>();
  /** Keys that were played by Twilio. */
  readonly played: string[] = [];
  /** Messages of other kinds that came over streams. */
  readonly otherMessages: string[] = [];
  /** Callbacks are dropped while this is set. */
  isMute = false;
  private sids = 0;
  private isStopped = false;

  constructor(
    private readonly accountSid: string,
    private readonly authToken: () => string,
  ) {}

  answer(method: string, path: string, form: URLSearchParams): FakeAnswer | null {
    if (path === '/Calls.json' && method === 'POST') return this.create(form);
    const sid = /^\/Calls\/(CA[0-9a-f]{32})\.json$/.exec(path)?.[1];
    if (sid === undefined) return null;
    const call = this.calls.get(sid);
    if (!call) return refusal(404, 20404, 'The requested resource was not found');
    if (method === 'GET') return { status: 200, body: this.shown(call) };
    if (OVER.has(call.status)) return refusal(400, 21220, 'Call is not in-progress. Cannot redirect.');
    if (form.get('Status') === 'completed') {
      this.end(call, call.status === 'in-progress' ? 'completed' : 'canceled');
    } else if (form.has('Twiml')) {
      if (call.status !== 'in-progress')
        return refusal(400, 21220, 'Call is not in-progress. Cannot redirect.');
      this.redirect(call, form.get('Twiml') ?? '');
    }
    return { status: 200, body: this.shown(call) };
  }

  /** A person calls a number with this voice URL. @returns the id of the call */
  callIn(from: string, to: string, voiceUrl: string): string {
    const call = this.make({
      from,
      to,
      direction: 'inbound',
      twiml: '',
      callback: null,
      detectionCallback: null,
      events: [],
    });
    call.status = 'ringing';
    void this.ask(call, voiceUrl);
    return call.sid;
  }

  async press(sid: string, digit: string): Promise<void> {
    const call = this.calls.get(sid);
    call?.stream?.send(
      JSON.stringify({
        event: 'dtmf',
        streamSid: streamSidOf(call),
        sequenceNumber: '5',
        dtmf: { track: 'inbound_track', digit },
      }),
    );
  }

  /** The far end says something: any number of bytes of mu-law. */
  say(sid: string, bytes: Buffer): void {
    const call = this.calls.get(sid);
    if (call) this.sendMedia(call, bytes.toString('base64'));
  }

  /** The far end hangs up, or a caller gives up. */
  hangUp(sid: string): void {
    const call = this.calls.get(sid);
    const isRinging = call?.direction === 'inbound' && call.status === 'ringing';
    if (call) this.end(call, isRinging ? 'canceled' : 'completed');
  }

  sign(url: string, form: URLSearchParams): string {
    let text = url;
    for (const name of [...form.keys()].sort()) text += `${name}${form.get(name)}`;
    return createHmac('sha1', this.authToken()).update(text, 'utf8').digest('base64');
  }

  stop(): void {
    this.isStopped = true;
    for (const { stream } of this.calls.values()) stream?.terminate();
  }

  /** A client places a call. */
  create(form: URLSearchParams): FakeAnswer {
    const to = form.get('To') ?? '';
    if (!/^\+\d{8,15}$/.test(to))
      return refusal(400, 21211, `The phone number you are attempting to call, ${to}, is not valid.`);
    const call = this.make({
      to,
      from: form.get('From') ?? '',
      direction: 'outbound-api',
      twiml: form.get('Twiml') ?? '',
      callback: form.get('StatusCallback'),
      detectionCallback:
        form.get('MachineDetection') === 'Enable' && form.get('AsyncAmd') === 'true'
          ? form.get('AsyncAmdStatusCallback')
          : null,
      events: form.getAll('StatusCallbackEvent'),
    });
    void this.dial(call, Number(form.get('Timeout') ?? 60) * 1_000);
    return { status: 201, body: this.shown(call) };
  }

  private make(
    facts: Pick<
      FakeCall,
      'to' | 'from' | 'direction' | 'twiml' | 'callback' | 'detectionCallback' | 'events'
    > & { readonly parentSid?: string },
  ): FakeCall {
    const sid = `CA${this.accountSid.slice(2, 10)}${(++this.sids).toString(16).padStart(24, '0')}`;
    const call: FakeCall = {
      ...facts,
      sid,
      status: 'queued',
      sequence: 0,
      stream: null,
      durationSeconds: null,
      answeredAtMs: null,
    };
    this.calls.set(sid, call);
    return call;
  }

  private async dial(call: FakeCall, timeoutMs: number): Promise<void> {
    await sleep(10);
    await this.callBack(call, 'initiated', 'initiated');
    if (call.to.endsWith(BEHAVIOURS.failing)) return this.end(call, 'failed');
    await sleep(10);
    if (OVER.has(call.status)) return;
    call.status = 'ringing';
    await this.callBack(call, 'ringing', 'ringing');
    if (call.to.endsWith(BEHAVIOURS.noAnswer)) {
      await sleep(timeoutMs, undefined, { ref: false });
      return this.end(call, 'no-answer');
    }
    await sleep(30);
    if (OVER.has(call.status)) return;
    if (call.to.endsWith(BEHAVIOURS.busy)) return this.end(call, 'busy');
    call.status = 'in-progress';
    void this.callBack(call, 'answered', 'in-progress');
    this.run(call, call.twiml);
    await this.detect(call);
  }

  private async detect(call: FakeCall): Promise<void> {
    await sleep(20);
    if (call.detectionCallback === null || OVER.has(call.status)) return;
    const form = new URLSearchParams({
      CallSid: call.sid,
      AccountSid: this.accountSid,
      AnsweredBy: call.to.endsWith(BEHAVIOURS.machine) ? 'machine_start' : 'human',
      MachineDetectionDuration: '2400',
    });
    if (!this.isMute) await this.post(call.detectionCallback, form);
  }

  /** Leaves what it is doing: a stream ends, and the call goes on with the new TwiML. */
  private redirect(call: FakeCall, twiml: string): void {
    const { stream } = call;
    call.stream = null;
    if (stream) this.stopStream(call, stream);
    void sleep(20).then(() => {
      if (!OVER.has(call.status)) this.run(call, twiml);
    });
  }

  private async ask(call: FakeCall, voiceUrl: string): Promise<void> {
    const form = this.parameters(call, 'ringing');
    const answer = await this.post(voiceUrl, form);
    const twiml = (await answer?.text()) ?? '';
    // The caller has hung up in the meantime.
    if (OVER.has(call.status)) return;
    if (answer && !answer.ok) {
      this.leftToFallback.add(call.sid);
      return this.end(call, 'failed');
    }
    if (/<Reject reason="busy"\s*\/>/.test(twiml)) return this.end(call, 'busy');
    if (twiml.includes('<Reject')) return this.end(call, 'no-answer');
    const isForward = twiml.includes('<Dial answerOnBridge="true"');
    // The caller hears ringing until the far end answers.
    if (!isForward) {
      call.status = 'in-progress';
      call.answeredAtMs = performance.now();
    }
    this.run(call, twiml);
  }

  /** Does what the TwiML says; behind it, or without any, the call is over. */
  private run(call: FakeCall, twiml: string): void {
    call.twiml = twiml;
    const digits = /<Play digits="([\d*#w]+)"\s*\/>/.exec(twiml)?.[1];
    if (digits !== undefined) this.played.push(digits);
    const say = /<Say language="([^"]+)">([^<]+)<\/Say><Hangup\/>/.exec(twiml);
    if (say) return void this.speak(call, say[1] ?? '', say[2] ?? '');
    const dial =
      /<Dial answerOnBridge="true" callerId="([^"]+)" timeout="(\d+)" timeLimit="(\d+)"><Number(?: statusCallback="([^"]+)" statusCallbackEvent="answered completed")?>([^<]+)<\/Number><\/Dial>/.exec(
        twiml,
      );
    if (dial) return void this.forward(call, dial.slice(1));
    const url = /<Connect><Stream url="(wss?:[^"?]+)">/.exec(twiml)?.[1];
    if (url === undefined) return this.end(call, 'completed');
    const parameters = [...twiml.matchAll(/<Parameter name="([^"]+)" value="([^"]*)"\s*\/>/g)];
    const headers = { 'X-Twilio-Signature': this.sign(url, new URLSearchParams()) };
    const stream = new WebSocket(url, { headers });
    call.stream = stream;
    let chunk = 0;
    const over = () => {
      if (call.stream === stream) this.end(call, 'completed');
    };
    stream.on('error', over);
    stream.on('close', over);
    stream.on('message', (data: Buffer) => this.receive(call, data.toString('utf8')));
    stream.on('open', () => {
      stream.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
      stream.send(
        JSON.stringify({
          event: 'start',
          sequenceNumber: '1',
          start: {
            accountSid: this.accountSid,
            streamSid: streamSidOf(call),
            callSid: call.sid,
            tracks: ['inbound'],
            mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
            customParameters: Object.fromEntries(parameters.map(([, name, value]) => [name, value])),
          },
          streamSid: streamSidOf(call),
        }),
      );
      const timer = setInterval(() => {
        if (stream.readyState !== WebSocket.OPEN) return clearInterval(timer);
        chunk++;
        if (call.stream === stream) this.sendMedia(call, SILENCE, chunk);
      }, 20);
    });
  }

  /** The far end is a call of its own, whose end ends the caller's. */
  private async forward(parent: FakeCall, parameters: readonly string[]): Promise<void> {
    const [callerId = '', timeout = '', timeLimit = '', callback, to = ''] = parameters;
    this.dialled.set(parent.sid, { to, callerId });
    const child = this.make({
      from: callerId,
      to,
      direction: 'outbound-api',
      twiml: '',
      callback: callback?.replaceAll('&amp;', '&') ?? null,
      detectionCallback: null,
      events: ['answered', 'completed'],
      parentSid: parent.sid,
    });
    child.status = 'ringing';
    const isOver = () => OVER.has(parent.status) || OVER.has(child.status);
    if (to.endsWith(BEHAVIOURS.noAnswer)) await sleep(Number(timeout) * 1_000, undefined, { ref: false });
    else await sleep(200);
    const failed = UNANSWERED.get(to.slice(-2));
    if (isOver()) return this.end(child, 'canceled');
    if (failed) {
      this.end(child, failed);
      await sleep(50);
      // https://www.twilio.com/docs/voice/twiml/dial: the call goes on behind it, where nothing is.
      return this.end(parent, 'completed');
    }
    const answeredAtMs = performance.now();
    child.status = 'in-progress';
    parent.status = 'in-progress';
    parent.answeredAtMs ??= answeredAtMs;
    void this.callBack(child, 'answered', 'in-progress');
    const secondsSince = (ms: number) => Math.round((performance.now() - ms) / 1_000);
    const seconds = () => secondsSince(answeredAtMs);
    while (!isOver() && !this.isStopped && seconds() < Number(timeLimit))
      await sleep(20, undefined, { ref: false });
    child.durationSeconds = seconds();
    parent.durationSeconds = secondsSince(parent.answeredAtMs);
    this.end(child, 'completed');
    this.end(parent, 'completed');
  }

  private async speak(call: FakeCall, language: string, text: string): Promise<void> {
    this.said.set(call.sid, { language, text });
    await sleep(SAY_SECONDS * 1_000, undefined, { ref: false });
    call.durationSeconds = SAY_SECONDS;
    this.end(call, 'completed');
  }

  private sendMedia(call: FakeCall, payload: string, chunk = 0): void {
    call.stream?.send(
      JSON.stringify({
        event: 'media',
        sequenceNumber: String(chunk + 1),
        media: { track: 'inbound', chunk: String(chunk), timestamp: String(chunk * 20), payload },
        streamSid: streamSidOf(call),
      }),
    );
  }

  private receive(call: FakeCall, text: string): void {
    const message = JSON.parse(text) as { event: string; streamSid: string; media?: { payload: string } };
    if (message.streamSid !== streamSidOf(call)) throw new Error(`a message for another stream: ${text}`);
    if (message.event === 'media' && message.media) {
      this.heard.set(call.sid, [...(this.heard.get(call.sid) ?? []), message.media.payload]);
    } else this.otherMessages.push(message.event);
  }

  private end(call: FakeCall, status: Status): void {
    if (OVER.has(call.status)) return;
    call.status = status;
    const { stream } = call;
    if (stream) this.stopStream(call, stream);
    void this.callBack(call, 'completed', status);
  }

  private stopStream(call: FakeCall, stream: WebSocket): void {
    if (stream.readyState !== WebSocket.OPEN) return;
    const stop = { accountSid: this.accountSid, callSid: call.sid };
    stream.send(JSON.stringify({ event: 'stop', sequenceNumber: '9', stop, streamSid: streamSidOf(call) }));
    stream.close();
  }

  private parameters(call: FakeCall, status: string): URLSearchParams {
    return new URLSearchParams({
      AccountSid: this.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: call.sid,
      CallStatus: status,
      ...(call.parentSid && { ParentCallSid: call.parentSid }),
      Called: call.to,
      Caller: call.from,
      Direction: call.direction,
      From: call.from,
      To: call.to,
    });
  }

  private async callBack(call: FakeCall, event: string, status: string): Promise<void> {
    if (call.callback === null || !call.events.includes(event)) return;
    const form = this.parameters(call, status);
    form.set('CallbackSource', 'call-progress-events');
    form.set('SequenceNumber', String(call.sequence++));
    form.set('Timestamp', new Date().toUTCString());
    if (event === 'completed') form.set('CallDuration', String(call.durationSeconds ?? 0));
    if (!this.isMute) await this.post(call.callback, form);
  }

  private async post(url: string, form: URLSearchParams): Promise<Response | null> {
    if (this.isStopped) return null;
    try {
      return await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'X-Twilio-Signature': this.sign(url, form),
        },
        body: form.toString(),
      });
    } catch {
      // As with Twilio: a callback that is not answered is not repeated.
      return null;
    }
  }

  private shown(call: FakeCall) {
    const { sid, to, from, status, direction } = call;
    return {
      account_sid: this.accountSid,
      answered_by: null,
      api_version: '2010-04-01',
      date_created: null,
      direction,
      // A string, as all numbers of this resource.
      duration: call.durationSeconds === null ? null : String(call.durationSeconds),
      end_time: null,
      from,
      sid,
      start_time: null,
      status,
      to,
      uri: `/2010-04-01/Accounts/${this.accountSid}/Calls/${sid}.json`,
    };
  }
}

function streamSidOf({ sid }: FakeCall): string {
  return `MZ${sid.slice(2)}`;
}
