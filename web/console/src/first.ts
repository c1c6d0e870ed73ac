import { sendEarly } from './api/early-requests.js';
import { firstLanguage, loadTexts } from './texts/language.js';

/**
 * What the first screen needs beside the libraries, asked for while those are still on their way: the page loads this small
 * file by itself (`first-load.ts`), and `main.tsx` takes what it has begun.
 */
sendEarly(location);

const language = firstLanguage();

export const firstTexts = loadTexts(language).then((texts) => ({ language, texts }));
// Who waits for them sees the failure.
firstTexts.catch(() => undefined);
