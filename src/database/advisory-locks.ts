/**
 * All advisory locks of the product, so that no two have the same key. PostgreSQL keeps locks with one key and locks
 * with two apart.
 */
export const ADVISORY_LOCKS = {
  /** One process at a time prepares the database. */
  preparation: 7_711_001,
  /** One process at a time builds the index of vectors. */
  vectorIndex: 7_711_017,
  /** One process at a time settles the counts of calls. */
  callCounts: 7_711_030,
  /** One process at a time settles the counts of leads. */
  leadCounts: 7_711_032,
  /** One transaction at a time gives calls to voice processes. */
  voiceProcesses: 7_711_031,
  /** One transaction at a time takes a line for a visitor's call. */
  visitorLines: 7_711_033,
} as const;

/** First halves of the keys of locks that have two; what the other half is says each of them. */
export const ADVISORY_LOCK_CLASSES = {
  /** Id of a lead: who has it may dial the lead. */
  lead: 7_041,
  /** Id of a call: who has it may place the call. */
  call: 7_042,
  /** 1: who has it serves the SIP trunks. */
  sipTrunks: 7_043,
  /** Id of a run of a simulation: who has it may play the run. */
  simulationRun: 7_044,
  /** Hash of a phone number: who has it may ask for a call that proves the number. */
  verifiedNumber: 7_045,
  /** Number of a line of the platform. */
  line: 7_204_301,
  /** Id of an account whose webhooks are claimed. */
  webhookTenant: 7_360_001,
  /** Hash of a host whose webhooks are claimed. */
  webhookHost: 7_360_002,
  /** Hash of what events are about that are numbered: one transaction at a time adds one. Taken by write_webhook_event. */
  webhookSubject: 7_360_003,
  /** The server of an embedded database. Taken in its administrative database, not in Prosa's own. */
  embeddedServer: 1_886_547_827,
} as const;
