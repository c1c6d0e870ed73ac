/** Name of the carrier of web calls, see WebCallCarrier. */
export const WEB_CARRIER = 'web';
