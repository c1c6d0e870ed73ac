import { Construction } from 'lucide-react';
import { useTexts } from '../texts/texts.js';
import { EmptyState } from './empty-state.js';
import { Page } from './page.js';

/** Stands where a page is still to come. */
export function NotReady({ title }: { readonly title: string }) {
  const { soon } = useTexts('common');
  return (
    <Page title={title}>
      <EmptyState icon={Construction} title={soon} />
    </Page>
  );
}
