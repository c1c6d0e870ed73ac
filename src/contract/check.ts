import { isDeepStrictEqual } from 'node:util';
import { type Body, type ContractClient, ContractViolation } from './contract-client.js';
import type { ContractCheck, DocumentedRoute } from './contract-check.js';

/** What a check has to work with. */
export interface CheckContext {
  readonly client: ContractClient;
  readonly contract: ContractCheck;
  /** In the name of all that is made, so that an operator sees where it comes from; other in each run. */
  readonly mark: string;
  /** Runs at the end of the check, for any result; the last one first. */
  afterwards(task: () => Promise<unknown>): void;
}

/** One line of the report. */
export interface Check {
  readonly group: string;
  readonly title: string;
  /** Costs money, asks a model, or leaves something behind: only with `--allow-spend`. */
  readonly spends?: string;
  run(context: CheckContext): Promise<void>;
}

/** A check that cannot be made here, through no fault of the server. */
export class SkippedError extends Error {}

/** An id that no resource has, as far as anyone can tell from outside. */
export const MISSING_ID = 2_147_483_647;
export const MISSING_UUID = '00000000-0000-4000-8000-000000000000';

/** @throws ContractViolation with the sentence when the condition does not hold */
export function must(condition: boolean, sentence: string): void {
  if (!condition) throw new ContractViolation(sentence);
}

/** @throws ContractViolation when a value is not that one */
export function mustBe(name: string, value: unknown, expected: unknown): void {
  must(
    isDeepStrictEqual(value, expected),
    `${name} is ${JSON.stringify(value)?.slice(0, 200)}, not ${JSON.stringify(expected)}`,
  );
}

/** A validation body names the field. */
export function mustName(field: string, body: Body): void {
  const { errors } = body as { errors?: Record<string, unknown> };
  must(
    Array.isArray(errors?.[field]),
    `errors.${field} is missing in the validation body ${JSON.stringify(body)}`,
  );
}

export function dataOf(body: Body): Record<string, unknown> & { readonly id: number } {
  return body.data as Record<string, unknown> & { readonly id: number };
}

export function nameOfRoute({ method, path }: Pick<DocumentedRoute, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}
