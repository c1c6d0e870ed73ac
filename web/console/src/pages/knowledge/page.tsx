import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function KnowledgePage() {
  const t = useTexts('knowledge');
  return <NotReady title={t.title} />;
}
