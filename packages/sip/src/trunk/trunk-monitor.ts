import type { CancelTimer, Clock } from '../clock.js';
import type { RequestSender } from '../call/request-sender.js';
import { SipRequest } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import { newTag } from '../transaction/transaction-layer.js';
import type { SipTrunk } from './sip-trunk.js';
import { firstHopOf, writeRoute } from './trunk-route.js';

const INTERVAL_MS = 30_000;

/** Asks a trunk every half minute whether it is there; that also keeps a NAT binding open. */
export class TrunkMonitor {
  private cancel: CancelTimer = () => {};
  private stopped = false;
  private reachable: boolean | null = null;
  private callId = '';

  constructor(
    private readonly trunk: SipTrunk,
    private readonly sender: RequestSender,
    private readonly clock: Clock,
    private readonly intervalMs = INTERVAL_MS,
  ) {}

  /** Null before the first answer. Any answer counts: some operators refuse OPTIONS, but they are there. */
  get isReachable(): boolean | null {
    return this.reachable;
  }

  start(): void {
    void this.ask();
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
    if (this.callId !== '') this.sender.abandon(this.callId);
  }

  private async ask(): Promise<void> {
    const { target, domain } = this.trunk;
    const uri = formatSipUri({ host: domain, port: domain === target.host ? target.port : null });
    this.callId = newTag();
    const request = new SipRequest('OPTIONS', uri);
    request.headers
      .set('max-forwards', 70)
      .set('from', `<${formatSipUri({ user: 'ping', host: domain })}>;tag=${newTag()}`)
      .set('to', `<${uri}>`)
      .set('call-id', this.callId)
      .set('cseq', '1 OPTIONS')
      .set('accept', 'application/sdp');
    writeRoute(request, this.trunk);
    const options = { hop: firstHopOf(this.trunk), credentials: null, contactUser: 'ping' };
    const response = await this.sender.ask(request, options);
    if (this.stopped) return;
    this.reachable = response !== null && response.status !== 408 && response.status !== 503;
    this.cancel = this.clock.after(this.intervalMs, () => void this.ask());
  }
}
