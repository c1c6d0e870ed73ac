import type { CallDetailsResponse } from '#client/types.gen.js';
import { isLive } from '#web/console/src/components/call-status.jsx';
import { IfAllowed } from '#web/console/src/components/if-allowed.jsx';
import { CallAgain } from './call-again.js';
import { DeleteCall } from './delete-call.js';
import { DoNotCall } from './do-not-call.js';
import { Downloads } from './downloads.js';
import { HangUp } from './hang-up.js';
import { ShareCall } from './share-call.js';

/** What can be done with a call. The deletion is last. */
export function CallActions({ call }: { readonly call: CallDetailsResponse }) {
  const phone = call.client_phone_number;
  const isOver = !isLive(call.status);
  return (
    <>
      {isOver && <Downloads call={call} />}
      <IfAllowed scope="calls">
        {isOver && <ShareCall id={call.id} />}
        {isOver && <CallAgain call={call} />}
        {phone.startsWith('+') && <DoNotCall phone={phone} />}
        {isOver ? <DeleteCall id={call.id} /> : <HangUp id={call.id} />}
      </IfAllowed>
    </>
  );
}
