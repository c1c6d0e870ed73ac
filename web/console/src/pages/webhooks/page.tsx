import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function WebhooksPage() {
  const t = useTexts('webhooks');
  return <NotReady title={t.title} />;
}
