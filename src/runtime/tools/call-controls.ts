import type { DestinationRefusal } from '../../common/phone/destination-refusal.js';
import type { TransferOutcome } from '../../providers/telephony/call/carrier-call.js';

export interface ColdTransfer {
  readonly kind: 'cold';
  /** E.164, or another address that the carrier dials. */
  readonly to: string;
}

/** The customer is put on hold; a colleague is called and briefed, and takes the call or declines it. */
export interface WarmTransfer {
  readonly kind: 'warm';
  readonly to: string;
  readonly from: string | null;
  /** Id of the account's number that the far end is called from; null where none is set. */
  readonly outboundPhoneId: number | null;
  /** Said to the customer before they are on hold. */
  readonly holdMessage: string;
  /** 0 to 100; null for silence. */
  readonly holdMusicVolume: number | null;
  readonly summaryInstructions: string;
  readonly briefingOpening: string;
  /** Said to the customer once they are connected. */
  readonly connectedMessage: string;
}

export type Transfer = ColdTransfer | WarmTransfer;

/** Who may take a call that is offered: people of the account who may do the work of this role. */
export type OfferRole = 'operator';

/**
 * - `unavailable`: no person takes calls now
 * - `declined`: all who were asked have declined
 * - `no-answer`: the time was over, or the call
 */
export type UnansweredOffer = 'unavailable' | 'declined' | 'no-answer';

/** The customer is put on hold while the call is offered to the people of the account. */
export interface MemberTransfer extends Pick<
  WarmTransfer,
  'holdMessage' | 'holdMusicVolume' | 'summaryInstructions'
> {
  readonly role: OfferRole;
}

/** `failed`: the call could not be offered, or the person who accepted could not be given the customer. */
export type MemberTransferOutcome = 'accepted' | UnansweredOffer | 'failed';

/** The operator does not let the transfer go there. */
export interface RefusedTransfer {
  readonly refused: DestinationRefusal;
}

/** The line, as tools may use it. Nothing here throws: what goes wrong is an outcome. */
export interface CallControls {
  readonly customerPhone: string | null;
  readonly assistantPhone: string | null;
  /** ISO 3166 codes of the countries a model may transfer to when it chooses the number. */
  readonly transferCountries: readonly string[];
  /** The account's own numbers by id, in E.164, for what the far end of a warm transfer sees. */
  readonly numbers: ReadonlyMap<number, string>;

  /**
   * Says what the model has said so far, then transfers. Only `answered` is success, and then the assistant has left the
   * call; after any other outcome it has the customer back. A refused one was not tried, and nothing was said.
   */
  transfer(transfer: Transfer): Promise<TransferOutcome | RefusedTransfer>;

  /**
   * The same to a person of the account, who speaks in place of the assistant after `accepted`. After any other outcome the
   * assistant has the customer back; where it is `unavailable` at once, the customer has heard nothing of it.
   */
  transferToMember(transfer: MemberTransfer): Promise<MemberTransferOutcome>;

  /** Plays keypad tones. False when the line does not take them. */
  sendDigits(digits: string): Promise<boolean>;
}
