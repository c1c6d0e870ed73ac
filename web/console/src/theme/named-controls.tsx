import { createTheme, MantineThemeProvider, Notification } from '@mantine/core';
import { type PropsWithChildren, useMemo } from 'react';
import { useTexts } from '../texts/texts.js';

/** Names the buttons that the library draws by itself, in the language of the reader. */
export function NamedControls({ children }: PropsWithChildren) {
  const { actions } = useTexts('common');
  const named = useMemo(
    () =>
      createTheme({
        components: {
          Notification: Notification.extend({
            defaultProps: { closeButtonProps: { 'aria-label': actions.close } },
          }),
        },
      }),
    [actions.close],
  );
  return <MantineThemeProvider theme={named}>{children}</MantineThemeProvider>;
}
