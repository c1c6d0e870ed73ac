import {
  type ProcessPauseGuard,
  type SipTlsOptions,
  type TrunkStatus,
  type UserAgentOptions,
  UserAgent,
  type IncomingCall,
} from '@prosa/sip';
import type { TrunkNumber } from './trunk-number.js';
import { TrunkNumbers, trunkIdOf, type TrunkUse } from './trunk-numbers.js';

/** Where a user agent listens. */
export type AgentAddress = UserAgentOptions['listen'];

/**
 * A user agent of this process at one address, and the trunks it serves. It stays open without trunks as long as calls
 * stand that it has.
 */
export class TrunkAgent {
  readonly numbers: TrunkNumbers;
  private opened: UserAgent | null = null;
  private serving = false;

  /**
   * @param use what the trunks are for
   * @param onClosed nothing is sent any more
   */
  constructor(
    private readonly options: UserAgentOptions,
    private readonly guard: ProcessPauseGuard,
    private readonly use: TrunkUse,
    private readonly onCall: (call: IncomingCall, numbers: TrunkNumbers) => void,
    private readonly onClosed: () => void,
  ) {
    this.numbers = new TrunkNumbers(use);
  }

  /** Null while nothing is open. */
  get agent(): UserAgent | null {
    return this.opened;
  }

  get isServing(): boolean {
    return this.serving;
  }

  /** Opens the sockets; rejects with the system's error when an address is taken. */
  async open(listen: AgentAddress): Promise<void> {
    if (this.opened) return;
    const keepAliveMs = this.use === 'all' ? this.options.keepAliveMs : 0;
    const agent = await UserAgent.open({
      ...this.options,
      keepAliveMs,
      owners: this.numbers,
      listen: { ...listen, gate: this.guard },
    });
    this.guard.watch();
    agent.on('call', (call) => this.onCall(call, this.numbers));
    this.opened = agent;
  }

  /**
   * Serves these numbers from now on, and no others. Null: none, without signalling to operators. The address is free
   * once no call is open.
   */
  serve(numbers: readonly TrunkNumber[] | null): void {
    const agent = this.opened;
    if (!agent) return;
    this.serving = numbers !== null;
    const { changed, gone } = this.numbers.replace(numbers ?? []);
    for (const id of gone) {
      if (numbers === null) agent.forgetTrunk(id);
      else void agent.removeTrunk(id);
    }
    for (const trunk of changed) agent.addTrunk(trunk);
    if (numbers === null && agent.callCount === 0) void this.close();
  }

  /** The state of a number's trunk; null for one that is not served here. */
  trunkStatus(phoneNumberId: number): TrunkStatus | null {
    const number = this.numbers.find(phoneNumberId);
    if (!number || !this.opened) return null;
    const status = this.opened.trunkStatus(trunkIdOf(number));
    const registrant = this.numbers.registrantOf(number);
    const registration = registrant === null ? null : this.opened.trunkStatus(registrant)?.registration;
    return status && { ...status, registration: registration ?? null };
  }

  useCertificate(tls: SipTlsOptions): void {
    this.opened?.transport.useCertificate(tls);
  }

  /** Hangs up open calls, and frees the address. */
  async close(): Promise<void> {
    const agent = this.opened;
    this.opened = null;
    this.serving = false;
    this.numbers.replace([]);
    await agent?.close();
    this.onClosed();
  }
}
