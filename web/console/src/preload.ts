import { prefetch } from './api/prefetch.js';
import { firstLanguage, loadTexts } from './texts/language.js';

/**
 * Requests the texts and the data of the first screen while the libraries are still loading. The page loads this small file on
 * its own (`first-load.ts`), and `main.tsx` uses the results.
 */
prefetch(location);

const language = firstLanguage();

export const firstTexts = loadTexts(language).then((texts) => ({ language, texts }));
// The caller that awaits the texts sees the failure.
firstTexts.catch(() => undefined);
