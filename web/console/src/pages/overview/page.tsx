import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function OverviewPage() {
  const t = useTexts('overview');
  return <NotReady title={t.title} />;
}
