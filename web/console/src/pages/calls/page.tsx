import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function CallsPage() {
  const t = useTexts('calls');
  return <NotReady title={t.title} />;
}
