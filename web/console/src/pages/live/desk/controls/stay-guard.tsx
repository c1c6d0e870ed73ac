import { LeaveGuard } from '#web/console/src/forms/leave-guard.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';

/** Asks before a person who has the customer leaves the call: by closing it, for another call or page, or with the tab. */
export function StayGuard({ isHolding }: { readonly isHolding: boolean }) {
  const t = useTexts('live').desk.leave;
  return <LeaveGuard isDirty={isHolding} texts={t} isStrict />;
}
