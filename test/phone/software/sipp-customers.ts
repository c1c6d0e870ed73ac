import { at, goTo, hangUp, pause, receive, respond, respondInDialog, scenario, Sipp } from './sipp.js';

const LABEL = { options: 1, talk: 2, moved: 3, hangUp: 4, hungUp: 5, end: 6 };
const TALK_MS = 2_000;
/** How long a customer waits who hears nothing more from the platform. */
const LOST_MS = 20_000;

/** A call as sipp saw it begin. */
export interface RungCall {
  /** As it was called. */
  readonly number: string;
  readonly callId: string;
}

/**
 * sipp as an operator whose customers all answer, talk for two seconds and hang up. They agree when another process of the
 * platform goes on with their call. It notes each call that begins in its log.
 */
export class SippCustomers {
  private constructor(private readonly sipp: Sipp) {}

  static start(port: number): SippCustomers {
    return new SippCustomers(Sipp.start(SCENARIO, ['-p', String(port)]));
  }

  /**
   * In their order. An INVITE that comes again is the same call, which sipp knows by its Call-ID; also where it takes one that
   * is very late for another.
   */
  get rung(): readonly RungCall[] {
    const begun = this.sipp.log().matchAll(/RUNG +<sip:([^@]+)@\S+ +(\S+)/g);
    const calls = [...begun].map(([, number = '', callId = '']) => ({ number, callId }));
    return [...new Map(calls.map((call) => [call.callId, call])).values()];
  }

  stop(): Promise<void> {
    return this.sipp.stop();
  }
}

const orElse = (label: number) => `optional="true" next="${label}"`;
const within = (timeoutMs: number, label: number) => `timeout="${timeoutMs}" ontimeout="${label}"`;

/** The variables 1 and 2 hold who is called and who calls. */
const SCENARIO = scenario(
  receive('request="OPTIONS"', orElse(LABEL.options)),
  receive(
    'request="INVITE"',
    '',
    '<ereg regexp=".*" search_in="hdr" header="To:" assign_to="1"/>' +
      '<ereg regexp=".*" search_in="hdr" header="From:" assign_to="2"/>' +
      '<log message="RUNG [$1] [call_id]"/>',
  ),
  respond('180 Ringing'),
  pause(500),
  respond('200 OK', { sdp: true, retransmit: true }),
  receive('request="ACK"', within(LOST_MS, LABEL.end)),
  at(LABEL.talk),
  // sipp counts the time of the first of those that it waits for.
  receive('request="INVITE"', `${orElse(LABEL.moved)} ${within(TALK_MS, LABEL.hangUp)}`),
  receive('request="BYE"'),
  goTo(LABEL.hungUp),
  at(LABEL.moved),
  respondInDialog('200 OK', true),
  receive('request="ACK"', within(LOST_MS, LABEL.end)),
  goTo(LABEL.talk),
  at(LABEL.hangUp),
  hangUp({ called: 1, caller: 2 }),
  // The process that should hear it may be dead, and another one about to go on with the call.
  receive('request="INVITE"', `${orElse(LABEL.moved)} ${within(LOST_MS, LABEL.end)}`),
  receive('request="BYE"', orElse(LABEL.hungUp)),
  receive('response="200"'),
  goTo(LABEL.end),
  at(LABEL.hungUp),
  respondInDialog('200 OK'),
  goTo(LABEL.end),
  at(LABEL.options),
  respond('200 OK'),
  at(LABEL.end),
  pause(1),
);
