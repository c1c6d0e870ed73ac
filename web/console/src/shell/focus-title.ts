import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** After a change of the page, moves the focus to its title: a screen reader says where one is, and Tab goes on from there. */
export function useFocusTitle(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusTitle();
      }),
    [router],
  );
}

/** Not where the page itself has moved the focus, to its first field say, nor out of a dialog that is open by now. */
function focusTitle(): void {
  const content = document.getElementById('content');
  if (!content || content.querySelector(':scope :focus')) return;
  if (document.activeElement?.closest('[role=dialog]')) return;
  const title = content.querySelector('h1');
  const target = title ?? content;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
