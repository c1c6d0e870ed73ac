import {
  at,
  goTo,
  hangUp,
  pause,
  receive,
  respond,
  respondInDialog,
  respondTo,
  scenario,
  Sipp,
  SIPP_PORT,
} from './sipp.js';

/** Labels of the scenario, by what becomes of a call. */
const LABEL = {
  options: 1,
  busy: 2,
  ringing: 3,
  moved: 4,
  overloaded: 5,
  declined: 6,
  silent: 7,
  gone: 8,
  end: 9,
};

/** What becomes of a call, by the last two digits of the number that is called; all others are answered. */
const ENDINGS: readonly (readonly [digits: string, label: number])[] = [
  ['01', LABEL.busy],
  ['02', LABEL.ringing],
  ['04', LABEL.overloaded],
  ['07', LABEL.moved],
  ['08', LABEL.declined],
  ['09', LABEL.silent],
];

/** sipp as an operator with many customers behind it, who end as their numbers say. It notes each call in its log. */
export class SippOperator {
  readonly port = SIPP_PORT;

  private constructor(private readonly sipp: Sipp) {}

  static start(): SippOperator {
    return new SippOperator(Sipp.start(SCENARIO, ['-p', String(SIPP_PORT)]));
  }

  /** The numbers that were called, in the order of their calls. */
  get rung(): readonly string[] {
    return [...this.sipp.log().matchAll(/RUNG +<sip:([^@]+)@/g)].map(([, number = '']) => number);
  }

  stop(): Promise<void> {
    return this.sipp.stop();
  }
}

/** The variables 1 to 6 hold the markers of the endings, 7 and 8 the called and the calling number. */
const RECEIVED_INVITE = receive(
  'request="INVITE"',
  '',
  [
    ...ENDINGS.map(
      ([digits], index) =>
        `<ereg regexp="${digits}@" search_in="hdr" header="To:" assign_to="${index + 1}"/>`,
    ),
    '<ereg regexp=".*" search_in="hdr" header="To:" assign_to="7"/>',
    '<ereg regexp=".*" search_in="hdr" header="From:" assign_to="8"/>',
    '<log message="RUNG [$7]"/>',
  ].join(''),
);

/** A refusal, and what is sent back to it. */
function refuses(label: number, status: string, headers?: string): readonly string[] {
  return [
    at(label),
    respond(status, headers === undefined ? {} : { headers }),
    receive('request="ACK"'),
    goTo(LABEL.end),
  ];
}

const SCENARIO = scenario(
  // The platform asks every half minute whether the operator is there.
  receive('request="OPTIONS"', `optional="true" next="${LABEL.options}"`),
  RECEIVED_INVITE,
  ...ENDINGS.map(([, label], index) => `<nop test="${index + 1}" next="${label}"/>`),
  respond('180 Ringing'),
  pause(300),
  respond('200 OK', { sdp: true, retransmit: true }),
  receive('request="ACK"'),
  pause(3_000),
  // It hangs up.
  hangUp({ called: 7, caller: 8 }),
  receive('response="200"', 'timeout="4000"'),
  goTo(LABEL.end),
  at(LABEL.options),
  respond('200 OK'),
  goTo(LABEL.end),
  ...refuses(LABEL.busy, '486 Busy Here'),
  ...refuses(LABEL.moved, '302 Moved Temporarily', 'Contact: <sip:elsewhere@127.0.0.1:27899>'),
  ...refuses(LABEL.overloaded, '503 Service Unavailable'),
  ...refuses(LABEL.declined, '603 Decline'),
  at(LABEL.ringing),
  respond('180 Ringing'),
  receive('request="CANCEL"'),
  respondInDialog('200 OK'),
  respondTo('487 Request Terminated', '[last_Via:]', '1 INVITE', false).replace(
    '[last_To:]',
    '[last_To:];tag=[pid]T[call_number]',
  ),
  receive('request="ACK"'),
  goTo(LABEL.end),
  at(LABEL.silent),
  pause(90_000),
  at(LABEL.end),
  pause(1),
);
