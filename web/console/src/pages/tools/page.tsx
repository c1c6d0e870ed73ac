import { NotReady } from '../../components/not-ready.js';
import { useTexts } from '../../texts/texts.js';

export function ToolsPage() {
  const t = useTexts('tools');
  return <NotReady title={t.title} />;
}
