/** See CallPlacementService.send. */
export type SendResult = 'sent' | 'not-sent' | 'undelivered' | 'unknown';
