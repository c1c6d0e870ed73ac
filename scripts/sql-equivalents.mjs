/** Faults that change nothing, by function: a part of the line that `mutate-sql` prints. */
export const EQUIVALENT = {};
