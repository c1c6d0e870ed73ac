import type { IncomingCall } from '../src/call/incoming-call.js';
import type { OutgoingCall } from '../src/call/outgoing-call.js';
import type { ReferRequest } from '../src/call/refer.js';
import type { UserAgent, UserAgentOptions } from '../src/user-agent.js';
import { loopbackTrunk, openUserAgent } from './sip-harness.js';
import { until } from '@prosa/testing';

/** Behaviour of those who are called, by the last two digits, as in the sandbox. */
const RINGS_MS = 1_500;

/**
 * An operator with its customers behind it, for carriers: who is called answers, is busy (01), lets it ring (02), or fails
 * (04). Those calls that were answered are in `answered`.
 */
export class SipOperator {
  readonly answered: IncomingCall[] = [];
  /** The number each call was for, as it was written. */
  readonly dialled: string[] = [];
  /** Who called, as the platform showed it, in the same order. */
  readonly callers: string[] = [];
  /** How a REFER is refused; null: it is done. */
  refusesRefer: number | null = null;

  private constructor(readonly agent: UserAgent) {}

  static async open(rtpFrom: number, options: Partial<UserAgentOptions> = {}): Promise<SipOperator> {
    const operator = new SipOperator(await openUserAgent(rtpFrom, options));
    operator.agent.on('call', (call) => operator.behave(call));
    return operator;
  }

  get port(): number {
    return this.agent.transport.localPort('udp');
  }

  /** Knows the platform from now on, by its address. */
  connect(platformPort: number): void {
    this.agent.addTrunk(loopbackTrunk(platformPort, { id: 'platform' }));
  }

  /** Calls the platform. @param headers header fields of the INVITE besides the usual ones */
  call(from: string, to: string, headers: Readonly<Record<string, string>> = {}): OutgoingCall {
    const call = this.agent.call('platform', { from, to, ringingTimeoutMs: 30_000, headers })!;
    call.on('refer', (request: ReferRequest) => this.transfer(request));
    return call;
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  /** The call to a number, once it is answered. */
  async answeredAt(number: string, timeoutMs = 30_000): Promise<IncomingCall> {
    const isThere = ({ to, state }: IncomingCall) => to === number && state === 'up';
    await until(() => this.answered.some(isThere), timeoutMs);
    return this.answered.find(isThere)!;
  }

  private behave(call: IncomingCall): void {
    this.dialled.push(call.to);
    this.callers.push(call.from);
    call.on('refer', (request: ReferRequest) => this.transfer(request));
    const ending = call.to.slice(-2);
    if (ending === '01') return call.reject(486);
    if (ending === '04') return call.reject(500);
    call.ring();
    if (ending === '02') return;
    call.once('answered', () => this.answered.push(call));
    void call.accept();
  }

  private transfer(request: ReferRequest): void {
    if (this.refusesRefer !== null) return request.reject(this.refusesRefer);
    const ending = /(\d\d)@/.exec(request.target)?.[1];
    request.accept();
    request.notify(180);
    if (ending === '02') setTimeout(() => request.notify(480), RINGS_MS).unref();
    else request.notify(ending === '01' ? 486 : ending === '04' ? 500 : 200);
  }
}
