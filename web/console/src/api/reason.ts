import { languageFrom } from '../../../shared/languages.js';

/**
 * Why a request was refused, in the language of the page. The server names the reason in a header, `tools.limit?limit=5`, since
 * the contract fixes the language of each answer. Its texts are loaded with the first refusal.
 *
 * @returns empty where the page has no such text, as for those of plugins: then the words of the answer are shown
 */
export async function reasonOf(response: Response | undefined): Promise<string> {
  const [key = '', query = ''] = response?.headers.get('X-Prosa-Error')?.split('?') ?? [];
  if (key === '') return '';
  const params = Object.fromEntries(new URLSearchParams(query));
  try {
    const { renderForPages } = await import('#src/i18n/catalogue.js');
    return renderForPages({ key, params }, languageFrom([document.documentElement.lang])) ?? '';
  } catch {
    // The connection broke while the texts were loading: the words of the answer are shown.
    return '';
  }
}
