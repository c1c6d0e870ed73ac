import type { Dialog } from '../dialog/dialog.js';
import type { SentRequest, RequestSender } from './request-sender.js';

/**
 * Sends the ACK of a 2xx: it has the number and the credentials of its INVITE, and goes the dialog's way (RFC 3261
 * §13.2.2.4). Sent again whenever the 2xx comes again.
 */
export async function acknowledge(sender: RequestSender, dialog: Dialog, invite: SentRequest): Promise<void> {
  const ack = dialog.createRequest('ACK', invite.request.cseq.number);
  for (const name of ['authorization', 'proxy-authorization']) {
    const value = invite.request.headers.get(name);
    if (value !== undefined) ack.headers.set(name, value);
  }
  const endpoints = await sender.endpointsOf(dialog.nextHop());
  for (const endpoint of [...endpoints, invite.endpoint]) {
    try {
      await sender.transactions.sendStateless(ack, sender.wayTo(endpoint));
      return;
    } catch {
      // The next address is tried; the repeated 2xx asks for an ACK that no address takes.
    }
  }
}
