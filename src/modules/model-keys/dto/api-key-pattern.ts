/** Visible ASCII, as a header's value may have; or a masked key, as it was read. */
export const API_KEY = /^(••••)?[\x21-\x7e]*$/;
