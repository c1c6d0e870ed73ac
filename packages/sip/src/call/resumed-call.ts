import { Dialog, type DialogState } from '../dialog/dialog.js';
import type { SipTrunk } from '../trunk/sip-trunk.js';
import type { CallContext } from './call-session.js';
import { SipCall, type SipCallSnapshot } from './sip-call.js';

/** Requests the process that is gone may have sent after it wrote its snapshot. */
const SEQUENCES_SKIPPED = 1_000;

/**
 * A call that another process had. A re-INVITE takes it over: it gives the peer our addresses for signalling and
 * audio (RFC 3261 §14.1). The peer's next requests come to us.
 */
export class ResumedCall extends SipCall {
  readonly isCaller: boolean;
  readonly callId: string;
  protected readonly localTag: string;
  private hasAgreed = false;

  constructor(
    context: CallContext,
    trunk: SipTrunk,
    private readonly taken: SipCallSnapshot,
  ) {
    super(context, trunk, taken.contactUser);
    this.isCaller = taken.isCaller;
    this.callId = taken.dialog.callId;
    this.localTag = taken.dialog.localTag;
    this.dialog = new Dialog({ ...taken.dialog, flow: flowAfterDeath(taken.dialog) });
    this.dialog.skipSequences(SEQUENCES_SKIPPED);
  }

  /** Whether the peer has responded to us: until then it is unknown how long the call lasted. */
  get isTaken(): boolean {
    return this.hasAgreed;
  }

  /** @returns whether the peer talks with us now; otherwise the call has ended */
  async takeOver(): Promise<boolean> {
    const dialog = this.getDialog();
    const [endpoint] = await this.context.sender.endpointsOf(dialog.nextHop());
    if (!endpoint) return this.lose('the peer has no address');
    try {
      const state = this.taken.audio;
      // Sound passes no proxy.
      const address = (this.context.sender.proxy && state.negotiated?.remoteAddress) ?? endpoint.address;
      const { host } = await this.context.sender.transport.advertised({ ...endpoint, address });
      this.media = await this.context.openMedia(host, this.trunk, { ...this.mediaCallbacks(), state });
      this.contact = await this.context.sender.contact(this.contactUser, endpoint);
    } catch {
      return this.lose('no audio can be opened here');
    }
    this.context.addDialog(dialog, this);
    this.state = 'up';
    this.timer.resume(this.taken.timer);
    if (await this.modification.change()) {
      this.hasAgreed = true;
      this.emit('changed');
      return true;
    }
    return this.lose('the peer did not agree');
  }

  hangUp(): void {
    this.terminate({ outcome: 'hung-up', by: 'local', status: null, reason: 'hung up' });
  }

  private lose(reason: string): false {
    this.terminate({ outcome: 'hung-up', by: 'network', status: null, reason });
    return false;
  }
}

/** A stream was closed with its process, and its far end seldom listens where it came from: the Contact is tried instead. */
function flowAfterDeath({ flow }: DialogState): DialogState['flow'] {
  return flow?.protocol === 'udp' ? flow : null;
}
