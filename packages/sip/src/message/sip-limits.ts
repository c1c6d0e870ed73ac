/** Bounds on one message, checked before anything of it is kept. Real messages stay far below them. */
export const SIP_LIMITS = {
  /** Of a whole message, on any transport. */
  messageBytes: 65_535,
  /** One line may take all of it: the Identity of a call with several PASSporTs (RFC 8224) has more than 8 KiB. */
  headerSectionBytes: 16_384,
  /** Header lines; a line that lists several values is split afterwards, into no more than this many in all. */
  headers: 200,
  bodyBytes: 32_768,
  uriBytes: 2_048,
} as const;
