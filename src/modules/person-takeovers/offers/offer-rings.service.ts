import { Injectable } from '@nestjs/common';
import { LiveEventsService } from '../../../common/live/live-events.service.js';
import { Logger } from '../../../common/observability/logger.js';
import type {
  AcceptedOffer,
  MemberOffers,
  RingingOffer,
} from '../../../runtime/call/session/member-offers.js';
import type { UnansweredOffer } from '../../../runtime/tools/call-controls.js';
import type { CallPerson } from '../../active-calls/person-takeovers/person-takeover.js';
import { type HeldCall, PersonTakeoversService } from '../person-takeovers.service.js';
import { OfferWatch } from './offer-watch.js';
import { TransferOffersService } from './transfer-offers.service.js';

/** Offers calls of this process to the people of their account, and gives them to those who accept. */
@Injectable()
export class OfferRingsService {
  constructor(
    private readonly offers: TransferOffersService,
    private readonly takeovers: PersonTakeoversService,
    private readonly live: LiveEventsService,
    private readonly logger: Logger,
  ) {}

  offersOf(call: HeldCall): MemberOffers {
    return {
      isAnyAvailable: async (role) => (await this.offers.findAvailable(call.userId, role)).length > 0,
      ring: (offer) => this.ring(call, offer),
    };
  }

  /** The offers of a call with which another process, or an earlier run of this one, has talked: none waits for them. */
  endOffersOf({ userId, lease }: HeldCall): Promise<void> {
    return this.offers.endOf(userId, lease.callId);
  }

  private async ring(
    call: HeldCall,
    { role, briefing, signal }: RingingOffer,
  ): Promise<AcceptedOffer | UnansweredOffer> {
    const { userId, lease } = call;
    const id = await this.offers.open(userId, lease.callId, role, briefing);
    const watch = new OfferWatch(this.live, userId, id);
    try {
      return await this.waitForAnswer(call, id, watch, signal);
    } catch (error) {
      await this.end(userId, id);
      throw error;
    } finally {
      watch.close();
    }
  }

  private async waitForAnswer(
    call: HeldCall,
    id: number,
    watch: OfferWatch,
    signal: AbortSignal,
  ): Promise<AcceptedOffer | UnansweredOffer> {
    const { userId } = call;
    for (;;) {
      const change = watch.next(signal);
      const offer = await this.offers.find(userId, id);
      if (signal.aborted || !offer || offer.status === 'ended') {
        await this.end(userId, id);
        return 'no-answer';
      }
      const { acceptedBy, declinedBy } = offer;
      if (acceptedBy) return { connect: () => this.connect(call, id, acceptedBy) };
      const available = await this.offers.findAvailable(userId, offer.role);
      const asked = available.filter((key) => !declinedBy.includes(key));
      const refusal = declinedBy.length > 0 ? 'declined' : 'unavailable';
      const answer = offer.isOver ? 'no-answer' : refusal;
      if (asked.length > 0 && !offer.isOver) await change;
      else if (await this.offers.withdraw(userId, id)) return answer;
    }
  }

  private async connect(call: HeldCall, id: number, person: CallPerson): Promise<boolean> {
    try {
      const isAssigned = await this.takeovers.assign(call, person);
      if (isAssigned) await this.offers.hold(call.userId, id);
      else await this.offers.end(call.userId, id);
      return isAssigned;
    } catch (error) {
      await this.end(call.userId, id);
      throw error;
    }
  }

  /** Never fails: without it the offer ends by its time. */
  private async end(userId: number, id: number): Promise<void> {
    await this.offers
      .end(userId, id)
      .catch((err: unknown) => this.logger.warn('offer of a call not ended', { offerId: id, err }));
  }
}
