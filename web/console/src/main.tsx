import './theme/styles.js';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { prepareClient } from './api/client.js';
import { createQueryClient } from './api/query-client.js';
import { closeTopmostByEscape } from './components/actions/open-dialog.js';
import { firstTexts } from './preload.js';
import { createRouter } from './router.js';
import { setExpired } from './session/expiry.js';
import { TextsProvider } from './texts/texts.js';
import { NamedControls } from './theme/named-controls.js';
import { cssVariables, theme } from './theme/theme.js';

const RELOAD_AGAIN_MS = 30_000;

prepareClient();
closeTopmostByEscape();
const queries = createQueryClient(() => setExpired(true));
const router = createRouter(queries);

// A page of an older build asks for a file that a newer one does not have. Once: what is not there after that is missing.
addEventListener('vite:preloadError', () => {
  const key = 'prosa.reloaded-at';
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < RELOAD_AGAIN_MS) return;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
});

async function show(root: HTMLElement): Promise<void> {
  // In parallel with the texts, load the page and its data.
  void router.load();
  const initial = await firstTexts;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <TextsProvider initial={initial}>
          <NamedControls>
            <QueryClientProvider client={queries}>
              {/* Not where buttons are: one that was pointed at would stay, and be in the way. */}
              <Notifications position="bottom-left" />
              <RouterProvider router={router} />
            </QueryClientProvider>
          </NamedControls>
        </TextsProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root) void show(root);
