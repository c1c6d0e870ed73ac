/** Who chats without a token, as far as a request tells. */
export interface Visitor {
  /** The account behind the token, where one was sent. */
  readonly callerId: number | null;
  /** The account of the publishable key of a page, where one was sent: no assistant of another counts. */
  readonly keyAccountId: number | null;
  /** As limits count it: an IPv4 address, or the /64 of an IPv6 one. */
  readonly address: string;
  /** Of the page that asks; null where none was sent, which programs do. */
  readonly origin: string | null;
  /** Lets the page of one origin read the answer, and no other; null: none. */
  showAnswerTo(origin: string | null): void;
}

/** A solved challenge, as it was sent. */
export interface ChallengeSolution {
  readonly token: string;
  readonly solution: string;
}

/** Null unless both halves were sent. */
export function solutionOf(
  token: string | undefined,
  solution: string | undefined,
): ChallengeSolution | null {
  return token !== undefined && solution !== undefined ? { token, solution } : null;
}
