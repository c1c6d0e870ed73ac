import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function NumbersPage() {
  const t = useTexts('numbers');
  return <NotReady title={t.title} />;
}
