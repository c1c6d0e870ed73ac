import { codeOf } from './driver-error.js';

/** Serialization failure and deadlock: all that was done is undone, and may be done again. */
const UNDONE = ['40001', '40P01'];

/** How often the same work may be a victim before its error is thrown. */
const MAX_TRIES = 5;

/** Runs a whole transaction, or a statement that is one of its own, again when it was the victim of a deadlock. */
export async function repeatingVictims<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt >= MAX_TRIES || !UNDONE.includes(codeOf(error))) throw error;
    }
  }
}
