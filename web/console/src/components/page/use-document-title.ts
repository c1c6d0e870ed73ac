import { useEffect } from 'react';
import { useBadge } from './title-badge.js';

/** Title of the tab: the number of waiting conversations, then the name of the page. */
export function useDocumentTitle(title: string): void {
  const badge = useBadge();
  useEffect(() => {
    document.title = `${badge > 0 ? `(${badge}) ` : ''}${title} · Prosa`;
  }, [badge, title]);
}
