import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function InboxPage() {
  const t = useTexts('inbox');
  return <NotReady title={t.title} />;
}
