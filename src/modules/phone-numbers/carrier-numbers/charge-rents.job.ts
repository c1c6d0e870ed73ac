import { defineSweep } from '../../../queues/job-definition.js';

/** Charges the months of rented numbers that have begun. */
export const chargeRentsJob = defineSweep({ name: 'charge-rents', everyMs: 600_000, whilePaused: 'waits' });
