/** What was acknowledged to the client, and must therefore be found afterwards. */
export class Promises {
  readonly messages: string[] = [];
  readonly leads: string[] = [];
  /** Numbers of the rows of files whose import was answered with success. */
  readonly importedLeads: string[] = [];
  readonly calls: { readonly id: number; readonly to: string }[] = [];

  get counts(): Record<string, number> {
    const { messages, leads, importedLeads, calls } = this;
    return {
      messages: messages.length,
      leads: leads.length,
      importedLeads: importedLeads.length,
      calls: calls.length,
    };
  }
}
