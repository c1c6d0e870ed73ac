/** What `PROSA_PAUSED` does, for banner and log. */
export const PAUSED =
  'PROSA_PAUSED is on: Prosa makes and takes no phone calls, sends no webhooks or e-mails, orders nothing from carriers and deletes no files';
