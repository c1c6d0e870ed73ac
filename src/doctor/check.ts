/** `failure`: Prosa does not work like this. `warning`: it works, and something will go wrong later. */
export type Verdict = 'ok' | 'warning' | 'failure';

/** What a check has found, in one sentence that says what to do. It contains no secret. */
export interface Finding {
  readonly verdict: Verdict;
  readonly text: string;
}

/** One question about the surroundings of an installation. */
export interface Check {
  /** One word, for the list of findings and for the log. */
  readonly name: string;

  /** At least one finding. An error counts as a failure of the check itself. */
  run(): Promise<readonly Finding[]>;
}

export function ok(text: string): Finding {
  return { verdict: 'ok', text };
}

export function warning(text: string): Finding {
  return { verdict: 'warning', text };
}

export function failure(text: string): Finding {
  return { verdict: 'failure', text };
}
