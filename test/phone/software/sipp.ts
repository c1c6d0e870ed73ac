import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ForeignProcess } from './process.js';

export const SIPP_PORT = 27_870;

export interface SippResult {
  readonly exitCode: number | null;
  readonly output: string;
}

/** sipp with one scenario, as the far end of a trunk. */
export class Sipp {
  private constructor(
    private readonly process: ForeignProcess,
    private readonly folder: string,
  ) {}

  /**
   * @param scenario XML, or the name of a scenario sipp brings
   * @param args what else: `-m 1` ends it after a call
   */
  static start(scenario: string, args: readonly string[]): Sipp {
    const folder = ForeignProcess.makeFolder('sipp');
    const file = join(folder, 'scenario.xml');
    const which = scenario.startsWith('<') ? ['-sf', file] : ['-sn', scenario];
    if (scenario.startsWith('<')) writeFileSync(file, scenario);
    const fixed = [
      '-i',
      '127.0.0.1',
      '-nostdin',
      '-trace_err',
      '-trace_logs',
      '-default_behaviors',
      'all,-abortunexp',
    ];
    return new Sipp(ForeignProcess.start('sipp', [...which, ...fixed, ...args], folder), folder);
  }

  /** A far end that waits for calls. */
  static answering(scenario: string, calls = 1, port = SIPP_PORT): Sipp {
    return Sipp.start(scenario, ['-p', String(port), '-m', String(calls)]);
  }

  /** A far end that places calls to a port of loopback. */
  static calling(
    scenario: string,
    port: number,
    args: readonly string[] = ['-m', '1'],
    from = SIPP_PORT,
  ): Sipp {
    return Sipp.start(scenario, [`127.0.0.1:${port}`, '-s', 'prosa', '-p', String(from), ...args]);
  }

  /** Waits for its end; exit code 0 means that every call went as the scenario says. */
  async result(timeoutMs = 60_000): Promise<SippResult> {
    const late = setTimeout(() => void this.process.stop(), timeoutMs);
    const exitCode = await this.process.exited;
    clearTimeout(late);
    return { exitCode, output: this.errors() };
  }

  /** What its scenario has logged so far. */
  log(): string {
    return this.filesOf('_logs.log');
  }

  /** What it found wrong, else how it closed. */
  private errors(): string {
    return (this.filesOf('_errors.log') || this.process.output).slice(-600);
  }

  private filesOf(ending: string): string {
    if (!existsSync(this.folder)) return '';
    const names = readdirSync(this.folder).filter((name) => name.endsWith(ending));
    return names.map((name) => readFileSync(join(this.folder, name), 'latin1')).join('');
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

const HEADERS = `[last_Via:]
[last_From:]
[last_To:];tag=[pid]T[call_number]
[last_Call-ID:]
[last_CSeq:]
[last_Record-Route:]
Contact: <sip:far@[local_ip]:[local_port]>`;

const SDP = `v=0
o=far 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio 27890 RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000`;

export function scenario(...steps: readonly string[]): string {
  return `<?xml version="1.0"?><scenario name="far end">${steps.join('\n')}</scenario>`;
}

export function receive(what: string, more = '', actions = ''): string {
  return actions === ''
    ? `<recv ${what} ${more}/>`
    : `<recv ${what} ${more}><action>${actions}</action></recv>`;
}

/**
 * A step as part of a transaction. Without that sipp takes a response that is sent again, as to an INVITE whose ACK was lost, for
 * the one to its latest request, which it does not send again then.
 */
export function ofTransaction(name: string, part: 'start' | 'response' | 'ack', step: string): string {
  return step.replace(/^<(send|recv)/, `<$1 ${part}_txn="${name}"`);
}

export function goTo(label: number): string {
  return `<nop next="${label}"/>`;
}

export function at(label: number): string {
  return `<label id="${label}"/>`;
}

/** BYE of the called party. @param variables that hold `To` and `From` of the INVITE */
export function hangUp({ called, caller }: { readonly called: number; readonly caller: number }): string {
  return `<send retrans="500"><![CDATA[
BYE sip:prosa@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From:[$${called}];tag=[pid]T[call_number]
To:[$${caller}]
Call-ID: [call_id]
CSeq: 1 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>`;
}

export function pause(milliseconds: number): string {
  return `<pause milliseconds="${milliseconds}"/>`;
}

/** A response to the last request, with further header lines and a description where asked for. */
export function respond(
  status: string,
  options: { headers?: string; sdp?: boolean; retransmit?: boolean } = {},
): string {
  const extra = options.headers ? `\n${options.headers}` : '';
  const type = options.sdp ? '\nContent-Type: application/sdp' : '';
  return sends(
    `SIP/2.0 ${status}\n${HEADERS}${extra}${type}\nContent-Length: [len]\n\n${options.sdp ? SDP : ''}`,
    options.retransmit,
  );
}

/** A response whose Via and CSeq are not those of the last request. */
export function respondTo(status: string, via: string, cseq: string, sdp: boolean): string {
  const headers = HEADERS.replace('[last_Via:]', via)
    .replace('[last_CSeq:]', `CSeq: ${cseq}`)
    .replace(';tag=[pid]T[call_number]', '');
  const type = sdp ? '\nContent-Type: application/sdp' : '';
  return sends(`SIP/2.0 ${status}\n${headers}${type}\nContent-Length: [len]\n\n${sdp ? SDP : ''}`);
}

/** A response within the dialog, to whose request the tag came along. */
export function respondInDialog(status: string, sdp = false): string {
  const headers = HEADERS.replace(';tag=[pid]T[call_number]', '');
  const type = sdp ? '\nContent-Type: application/sdp' : '';
  return sends(`SIP/2.0 ${status}\n${headers}${type}\nContent-Length: [len]\n\n${sdp ? SDP : ''}`, sdp);
}

/** A request of the caller; `to` is the To value, `more` further header lines. */
export function request(
  method: string,
  cseq: number,
  to: string,
  more = '',
  sdp = false,
  body = sdp ? SDP : '',
): string {
  const type = sdp ? '\nContent-Type: application/sdp' : '';
  return sends(
    `${method} sip:prosa@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:far@[local_ip]:[local_port]>;tag=[pid]F[call_number]
To: ${to}
Call-ID: [call_id]
CSeq: ${cseq} ${method}
Contact: <sip:far@[local_ip]:[local_port]>
Max-Forwards: 70${more ? `\n${more}` : ''}${type}
Content-Length: [len]

${body}`,
    method !== 'ACK',
  );
}

function sends(message: string, retransmit = false): string {
  return `<send${retransmit ? ' retrans="500"' : ''}><![CDATA[\n${message}\n]]></send>`;
}
