import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function KeysPage() {
  const t = useTexts('keys');
  return <NotReady title={t.title} />;
}
