/** One line of the table: something that must work, and with whom. */
export interface PhoneRow {
  readonly title: string;
  /** A program of others that must be installed; null where we are all there is. */
  readonly needs: 'baresip' | 'sipp' | 'kamailio' | null;
  /** Takes a minute or more, and is run only where all rows are asked for, or it by its words. */
  readonly isLong?: boolean;
  /** What was measured, for the table. A failure throws. */
  run(): Promise<string>;
}

export function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

export function equal<Value>(actual: Value, expected: Value, what: string): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
