/** True in `npm run test:faults -- full`. */
export const isFullLength = process.env.PROSA_TEST_FULL === '1';

/** How much of something a test does: with all tests as much as catches the fault it was written for, and more at full length. */
export const lengthOf = (short: number, full: number): number => (isFullLength ? full : short);
