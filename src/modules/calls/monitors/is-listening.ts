/** SQL: the row of `call_monitors` is a person who listens now. A process that dies stops extending its rows. */
export const IS_LISTENING = 'redeemed_at IS NOT NULL AND valid_until > now()';
