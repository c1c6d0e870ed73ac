import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function BillingPage() {
  const t = useTexts('billing');
  return <NotReady title={t.title} />;
}
