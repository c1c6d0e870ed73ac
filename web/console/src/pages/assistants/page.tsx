import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function AssistantsPage() {
  const t = useTexts('assistants');
  return <NotReady title={t.title} />;
}
