import type { DigestCredentials } from '../auth/digest.js';
import type { SrtpPolicy } from '../sdp/audio-negotiation.js';
import type { SipTargetName } from '../transport/sip-resolver.js';

/** Who may call in by a trunk. With both, both must match; with neither, all calls are refused. */
export interface InboundTrust {
  /** Addresses and CIDRs; empty: any, if the credentials are right. */
  readonly addresses: readonly string[];
  /** What the operator's side logs in with; null: known by its address alone. */
  readonly credentials: DigestCredentials | null;
}

/** A connection to an operator. */
export interface SipTrunk {
  readonly id: string;
  /** The account that has it; left out: it is the only trunk of its owner. */
  readonly owner?: string | undefined;
  /** Where calls go out to, and registrations. */
  readonly target: SipTargetName;
  /** Gets all requests outside of dialogs, with a Route header that names it; left out or null: there is none. */
  readonly outboundProxy?: SipTargetName | null | undefined;
  /** In the URIs of calls; the host of the target where the operator names no other. */
  readonly domain: string;
  /** What we log in with; null where the operator knows our address. */
  readonly credentials: DigestCredentials | null;
  /** Null: the operator sends calls to a fixed address. */
  readonly registration: { readonly user: string; readonly expiresSeconds: number } | null;
  /** Null: calls go out only. A registered trunk is also trusted by the registrar's address. */
  readonly inbound: InboundTrust | null;
  readonly srtp: SrtpPolicy;
  /** The user of our Contact, which cannot be guessed; left out: one that no other process has. */
  readonly contactUser?: string | undefined;
}
