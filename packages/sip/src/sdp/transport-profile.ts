/** What the media of a description go over, of what we have. */
export type TransportSecurity = 'plain' | 'encrypted';

/**
 * RTP with or without SDES encryption (RFC 3551, RFC 3711), each also with feedback (RFC 4585, RFC 5124): feedback is RTCP that
 * we do not send, and need not. Some senders name the datagrams as well.
 */
const RTP = /^(?:UDP\/)?RTP\/(S?)AVPF?$/i;

/** Null for a profile that we do not have, as DTLS (`UDP/TLS/RTP/SAVPF`). */
export function transportSecurityOf(profile: string): TransportSecurity | null {
  const match = RTP.exec(profile);
  if (!match) return null;
  return match[1] === '' ? 'plain' : 'encrypted';
}
