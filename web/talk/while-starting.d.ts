/**
 * Asks for a call. While the server says when to come back, waits and asks again, for a minute at most.
 *
 * @throws what `ask` has thrown last
 */
export function whileStarting<Answer>(
  ask: () => Promise<Answer>,
  options: {
    /** Milliseconds after which the server wants to be asked again; 0: it does not. */
    waitMsOf: (error: unknown) => number;
    onWait?: () => void;
    /** Whether the call is not wanted any more. */
    isOver: () => boolean;
  },
): Promise<Answer>;
