/**
 * What is said at the other end of a call, in one language. Each entry is a pattern as `Phrase` reads it. To add a language, write
 * a file like the others of this folder and name it in `machine-words.ts`; to add wording, add a line.
 */
export interface MachinePhrases {
  /** Only recordings of mailboxes say these. */
  readonly recorder: readonly string[];
  /** To leave a message: a person may say so as well. With words of `tone` it is a recording. */
  readonly leaveMessage: readonly string[];
  /** A tone after which to speak. */
  readonly tone: readonly string[];
  /** Recordings of networks and operators: the number is not in service, out of reach, or forwarded to a mailbox. */
  readonly announcement: readonly string[];
  /**
   * What no network says: of a wrong number, of third persons, of the place and the trade of the one who speaks. With any of these,
   * words of `announcement` are a person's.
   */
  readonly personal: readonly string[];
  /** Greetings of mailboxes that people say as well. */
  readonly ambiguous: readonly string[];
  /** Voice menus, which offer keys. */
  readonly menu: readonly string[];
  /** Services that ask who calls and why, in words of no mailbox. */
  readonly screening: readonly string[];
  /** The same, unless a mailbox says it. */
  readonly asksName: readonly string[];
  /** What a person says who is ready to talk. */
  readonly person: readonly string[];
}
