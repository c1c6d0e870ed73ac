import { parseNameAddress, repairNameAddress, splitOutsideQuotes } from '../message/header-values.js';
import { type SipMessage, SipRequest, type SipResponse } from '../message/sip-message.js';
import { parseSipUri } from '../message/sip-uri.js';
import type { SipTargetName } from '../transport/sip-resolver.js';
import { defaultPort, type SipEndpoint } from '../transport/sip-endpoint.js';
import { isPrivateAddress, isThisHost } from '../transport/local-addresses.js';
import { responseEndpoint } from '../transport/via.js';

/** A dialog as plain data: what another process needs to go on with it. */
export interface DialogState {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From and To as written, without tags. */
  readonly localUri: string;
  readonly remoteUri: string;
  /** Null before the first request of that side. */
  readonly localSequence: number | null;
  readonly remoteSequence: number | null;
  /** Route header values, in the order to be sent. */
  readonly routeSet: readonly string[];
  /** The peer's Contact. */
  readonly remoteTarget: string;
  /** Where requests go although the Contact differs: the peer is behind NAT, and no proxy recorded a route. */
  readonly flow: SipEndpoint | null;
  /** Where the message came from that named the target. Left out by processes of older versions. */
  readonly source?: SipEndpoint | null | undefined;
  /** The peer has called us. Left out by processes of older versions. */
  readonly isOfCaller?: boolean | undefined;
}

export interface NextHop {
  /** A connection or address that is known to lead to the peer. */
  readonly flow: SipEndpoint | null;
  /** Null for a URI that leads nowhere. */
  readonly target: SipTargetName | null;
  /** Tried where the target has no address, or does not answer: the peer's own messages come from there. */
  readonly fallbacks?: readonly SipEndpoint[];
  /** The target is the first of a dialog's route set. */
  readonly isRouted?: boolean;
  /** A caller has named it. */
  readonly isOfCaller?: boolean | undefined;
}

/**
 * The peer-to-peer relation between two user agents (RFC 3261 §12). It makes the requests within it, and detects
 * outdated ones.
 */
export class Dialog {
  private state: DialogState;

  constructor(state: DialogState) {
    this.state = state;
  }

  /** Of a response with a tag to our INVITE (§12.1.2); null when the peer left out what makes a dialog. */
  static ofResponse(request: SipRequest, response: SipResponse, source: SipEndpoint | null): Dialog | null {
    const remoteTag = response.toTag;
    const target = response.contact?.uri ?? request.uri;
    if (remoteTag === null || request.fromTag === null || parseSipUri(target) === null) return null;
    const routeSet = response.headers.all('record-route').toReversed();
    return new Dialog({
      callId: request.callId,
      localTag: request.fromTag,
      remoteTag,
      localUri: withoutTag(request.headers.get('from') ?? ''),
      remoteUri: withoutTag(response.headers.get('to') ?? ''),
      localSequence: request.cseq.number,
      remoteSequence: null,
      routeSet,
      remoteTarget: target,
      flow: source && routeSet.length === 0 ? natFlow(target, source) : null,
      source,
    });
  }

  /** Of an INVITE that came in (§12.1.1); null when its Contact cannot be used. */
  static ofRequest(request: SipRequest, localTag: string, source: SipEndpoint): Dialog | null {
    const target = request.contact?.uri ?? '';
    if (parseSipUri(target) === null) return null;
    const routeSet = [...request.headers.all('record-route')];
    return new Dialog({
      callId: request.callId,
      localTag,
      // Peers of RFC 2543 may have none (§12.1.1).
      remoteTag: request.fromTag ?? '',
      localUri: withoutTag(request.headers.get('to') ?? ''),
      remoteUri: withoutTag(request.headers.get('from') ?? ''),
      localSequence: null,
      remoteSequence: request.cseq.number,
      routeSet,
      remoteTarget: target,
      flow: routeSet.length === 0 ? natFlow(target, source) : null,
      source: replyEndpoint(request, source),
      isOfCaller: true,
    });
  }

  get id(): string {
    return dialogId(this.state.callId, this.state.localTag, this.state.remoteTag);
  }

  get callId(): string {
    return this.state.callId;
  }

  get remoteTag(): string {
    return this.state.remoteTag;
  }

  get localUri(): string {
    return this.state.localUri;
  }

  snapshot(): DialogState {
    return this.state;
  }

  /** A request within the dialog (§12.2.1.1). An ACK has the number of its INVITE, `sequence`. */
  createRequest(method: string, sequence?: number): SipRequest {
    const number = sequence ?? this.nextSequence();
    const { routeSet, remoteTarget } = this.state;
    const request = new SipRequest(method, requestUriOf(remoteTarget));
    const [first] = routeSet;
    if (first !== undefined && !isLooseRouter(first)) {
      // A strict router of RFC 2543 wants to be the Request-URI, and the target last.
      request.uri = parseNameAddress(first)?.uri ?? request.uri;
      request.headers.set('route', [...routeSet.slice(1), `<${remoteTarget}>`]);
    } else {
      request.headers.set('route', routeSet);
    }
    const remoteTag = this.state.remoteTag === '' ? '' : `;tag=${this.state.remoteTag}`;
    request.headers
      .set('max-forwards', 70)
      .set('from', `${this.state.localUri};tag=${this.state.localTag}`)
      .set('to', `${this.state.remoteUri}${remoteTag}`)
      .set('call-id', this.state.callId)
      .set('cseq', `${number} ${method}`);
    return request;
  }

  /** Where requests of the dialog go: the first route, else the target (§12.2.1.1, §8.1.2); the flow is tried before. */
  nextHop(): NextHop {
    const [first] = this.state.routeSet;
    const uri = first === undefined ? this.state.remoteTarget : (parseNameAddress(first)?.uri ?? '');
    const isRouted = first !== undefined;
    const { isOfCaller, source } = this.state;
    const target = targetNameOf(uri);
    const fallbacks = source ? fallbacksOf(source, target) : [];
    return { flow: isRouted ? null : this.state.flow, target, fallbacks, isRouted, isOfCaller };
  }

  /** Takes note of a request of the peer; false for one older than the last (§12.2.2). */
  acceptSequence(number: number): boolean {
    if (this.state.remoteSequence !== null && number <= this.state.remoteSequence) return false;
    this.state = { ...this.state, remoteSequence: number };
    return true;
  }

  /** A target refresh by a re-INVITE, an UPDATE or their 2xx: the peer has moved. */
  refreshTarget(message: SipMessage, source: SipEndpoint): void {
    const uri = message.contact?.uri;
    if (uri === undefined || parseSipUri(uri) === null) return;
    const flow = this.state.routeSet.length === 0 ? natFlow(uri, source) : null;
    const replies = message.kind === 'request' ? replyEndpoint(message, source) : source;
    this.state = { ...this.state, remoteTarget: uri, flow, source: replies };
  }

  /** Counts on from the early form of the same dialog, in which PRACKs and UPDATEs were sent. */
  continueFrom(early: Dialog): void {
    const { localSequence, remoteSequence } = early.snapshot();
    this.state = { ...this.state, localSequence, remoteSequence };
  }

  /** Goes past every number another process may have used since this state was written. */
  skipSequences(count: number): void {
    this.state = { ...this.state, localSequence: (this.state.localSequence ?? 0) + count };
  }

  /** Takes the number of the next request. The first one of a side that was called is 1. */
  nextSequence(): number {
    const localSequence = (this.state.localSequence ?? 0) + 1;
    this.state = { ...this.state, localSequence };
    return localSequence;
  }
}

export function dialogId(callId: string, localTag: string, remoteTag: string): string {
  return `${callId}|${localTag}|${remoteTag}`;
}

/** Host, port and transport of a URI; null when it is no SIP URI. */
export function targetNameOf(uri: string): SipTargetName | null {
  const parsed = parseSipUri(uri);
  if (!parsed || parsed.scheme === 'tel') return null;
  const transport = parsed.parameters.get('transport')?.toLowerCase();
  return {
    host: parsed.host,
    port: parsed.port,
    protocol: transport === 'tcp' || transport === 'tls' || transport === 'udp' ? transport : null,
    secure: parsed.scheme === 'sips',
  };
}

/** Not by a pattern, which would look for the brackets around a parameter once for each of its characters. */
function withoutTag(nameAddress: string): string {
  return splitOutsideQuotes(repairNameAddress(nameAddress), ';')
    .filter((part, index) => index === 0 || !isTag(part))
    .join(';');
}

function isTag(parameter: string): boolean {
  return (parameter.split('=', 1)[0] ?? '').trim().toLowerCase() === 'tag';
}

/** Header parameters of a URI, and `method`, have no place in a Request-URI (§19.1.1). */
function requestUriOf(uri: string): string {
  return (uri.split('?', 1)[0] ?? '').replace(/;method=[^;]*/i, '');
}

function isLooseRouter(route: string): boolean {
  const uri = parseNameAddress(route)?.uri ?? '';
  return parseSipUri(uri)?.parameters.has('lr') ?? true;
}

/** The peer gave an address that cannot be reached from here, but its messages come from another one. */
function natFlow(contact: string, source: SipEndpoint): SipEndpoint | null {
  const host = parseSipUri(contact)?.host ?? '';
  if (host === source.address) {
    // A stream is used again instead of being opened a second time; the peer may not listen at all.
    return source.protocol === 'udp' ? null : source;
  }
  const isUnreachable =
    (isPrivateAddress(host) && !isPrivateAddress(source.address)) ||
    (isThisHost(host) && !isThisHost(source.address));
  return isUnreachable ? source : null;
}

/** Where responses to a request go; requests reach its sender there as well. */
function replyEndpoint(request: SipRequest, source: SipEndpoint): SipEndpoint {
  return responseEndpoint(request.headers.get('via') ?? '', source);
}

/** A peer that has closed its stream is called at the same address, at the port that it has named. */
function fallbacksOf(source: SipEndpoint, target: SipTargetName | null): readonly SipEndpoint[] {
  if (source.protocol === 'udp') return [source];
  return [source, { ...source, port: target?.port ?? defaultPort(source.protocol) }];
}
