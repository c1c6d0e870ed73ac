/** Variables that Prosa fills in itself. */
export const OWN_VARIABLES: readonly string[] = [
  'assistant_id',
  'assistant_name',
  'assistant_phone',
  'current_date',
  'current_time',
  'customer_phone',
];
